# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch carry: bring a change of one base to the others."""

import sys

from nova_volops_plugin.cmd import patch_check
from nova_volops_plugin.series import carry


class Carry(patch_check.Findings):
    """Bring what changed in one base's series to every other base.

    That is what the last commit of the repository does not have: patches that
    were changed, added, deleted, split, reordered or reworded, and exported.
    The difference of each patch is merged into the other bases' own patches,
    which keep what they do otherwise; microversions get those bases' numbers.
    It stops at what cannot be merged: edit the files that it lists, then go
    on. Nothing is written before all is merged. The exit code is 3 where
    there are conflicts.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--from', metavar='BASE', dest='source',
            help='the base whose change is carried (default: the one that '
                 'has changed)')
        parser.add_argument(
            '--to', metavar='BASE', action='append', default=[],
            help='a base that gets it; may be given more than once (default: '
                 'all others)')
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            '--continue', action='store_true', dest='go_on',
            help='go on when the conflicting files are edited')
        how.add_argument(
            '--abort', action='store_true',
            help='give up; no series was changed')
        return parser

    def take_action(self, parsed_args):
        carried = carry.Carry(self.app.state, parsed_args.patches)
        with carried.locked():
            if parsed_args.abort:
                carried.abort()
                return ('Base', 'Patch'), []
            outcome = carried.go_on() if parsed_args.go_on else \
                carried.begin(parsed_args.source, parsed_args.to)
        self.found = bool(outcome.conflicts)
        if outcome.conflicts:
            first = outcome.conflicts[0]
            print('In %s, this patch conflicts with the change of %s: %s\n'
                  'Edit the files, delete one that shall not be there, then '
                  'go on with "nova-volops patch carry --continue"; nothing '
                  'has been written so far.' %
                  (first.base, outcome.source, first.subject),
                  file=sys.stderr)
            return ('File', 'Conflict', 'Lines', 'Same patch touches it in'), [
                (str(each.file), each.why, ', '.join(map(str, each.lines)),
                 ', '.join(each.elsewhere)) for each in outcome.conflicts]
        for name in outcome.written:
            print('wrote %s' % name, file=sys.stderr)
        return ('Base', 'Changed patch'), [
            (base, subject) for base, subjects in outcome.changed.items()
            for subject in subjects or ['']]
