# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch carry: apply a change of one base to the others."""

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
    there are conflicts, or where a base keeps a message of its own or lacks
    what a patch uses now, both of which are written.
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
                return ('Base', 'Patch', 'Subject'), []
            outcome = carried.go_on() if parsed_args.go_on else \
                carried.begin(parsed_args.source, parsed_args.to)
        self.found = bool(
            outcome.conflicts or outcome.kept or outcome.corrected or
            outcome.misfits)
        if outcome.conflicts:
            return self._stopped(outcome)
        for base, subject in outcome.kept:
            print('%s keeps its own message of "%s", which is not the one '
                  'that changed; check that it is still correct' %
                  (base, subject), file=sys.stderr)
        for corrected in outcome.corrected:
            print('In %s, %s was merged wrongly: "%s" had to correct it; '
                  'check the patches before that one' % corrected,
                  file=sys.stderr)
        for misfit in outcome.misfits:
            print('It does not fit %s, %s, line %d: %s' % misfit,
                  file=sys.stderr)
        for name in outcome.written:
            print('wrote %s' % name, file=sys.stderr)
        return ('Base', 'Patch', 'Subject'), outcome.changed

    def _stopped(self, outcome):
        first = outcome.conflicts[0]
        print('In %s, this patch conflicts with the change of %s: %s' %
              (first.base, outcome.source, first.subject), file=sys.stderr)
        for conflict in outcome.conflicts:
            for place in conflict.places:
                _show(conflict, place, outcome.source)
        print('Edit the files, or delete one that the patch shall not leave, '
              'then go on with "nova-volops patch carry --continue". No '
              'series has been changed so far.', file=sys.stderr)
        return ('File', 'Conflict', 'Lines', 'Same patch touches it in'), [
            (str(each.file), each.why,
             ', '.join(str(place.line) for place in each.places),
             ', '.join(each.elsewhere)) for each in outcome.conflicts]


def _show(conflict, place, source):
    """Show both sides of a conflict, and what other bases have there."""
    sides = [(conflict.base + ' has', place.ours),
             (source + ' had', place.base), (source + ' has', place.theirs)]
    sides += [(name + ' has', hunk)
              for name, hunks in conflict.elsewhere.items()
              if (hunk := place.hunk(hunks))]
    print('%s, line %d:' % (conflict.path, place.line), file=sys.stderr)
    for heading, lines in sides:
        print('  %s:' % heading, file=sys.stderr)
        for line in lines or ['nothing']:
            print('  | ' + line if lines else '    nothing', file=sys.stderr)
