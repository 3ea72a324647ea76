# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch port: port the series to another release."""

import logging
import sys

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import git
from nova_volops_plugin.bases import new_base
from nova_volops_plugin.cmd import patch_check
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import detect
from nova_volops_plugin.series import port
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)


class Port(patch_check.Findings):
    """Carry the series of one base over to another, a commit a patch.

    A base that is not there yet is made first: name the version of its
    source distribution, its SHA-256 and the constraints that the release has
    published. Microversions get the numbers that follow the release's last
    one. It stops at what cannot be merged; fix the files, or have them
    changed as another base's patch changes them, and go on. At the end it
    lists what is used and not defined. The exit code is 3 in both cases.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_base(parser, 'the base that gets the series')
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            '--from', metavar='OTHER', dest='other',
            help='the base whose patches are carried over')
        what.add_argument(
            '--continue', action='store_true', dest='go_on',
            help='go on when the conflicting files are fixed')
        what.add_argument(
            '--like', metavar='OTHER',
            help='change the conflicting files as the patch of another base '
                 'does that makes the same change, then look at them')
        new = parser.add_argument_group('of a base that is not there yet')
        new.add_argument(
            '--release', metavar='VERSION',
            help='that of its source distribution, such as 33.0.2')
        new.add_argument(
            '--sha256', metavar='DIGITS',
            help='that of its source distribution, as the package index has '
                 'it')
        new.add_argument(
            '--constraints', metavar='FILE', action='append',
            help='the upper-constraints.txt of the release; may be given '
                 'again for a freeze of what that leaves out, such as '
                 'placement')
        self.add_sdist(parser)
        self.add_folder(parser)
        return parser

    def take_action(self, parsed_args):
        root = parsed_args.patches
        if parsed_args.other and (
                parsed_args.base not in nova_base.names(root)):
            self._make_base(parsed_args)
        base = self.base(parsed_args)
        fetched = series_tree.fetch(
            self.app.state, base, parsed_args.sdist)
        tree = detect.open_git(parsed_args.tree) if parsed_args.tree else \
            checkout.Checkout(fetched, git.isolated(fetched))
        with tree.locked():
            ported = port.Port(base, tree, root)
            if parsed_args.like:
                return self._take(parsed_args, ported)
            state = self._carry(parsed_args, ported)
        return self._told(base, tree, state)

    def _make_base(self, parsed_args):
        for option in ('release', 'sha256', 'constraints'):
            if getattr(parsed_args, option) is None:
                raise exceptions.BadInput(
                    'there is no base %s yet; give --%s too to make it' %
                    (parsed_args.base, option))
        facts = new_base.make(
            self.app.state, parsed_args.base,
            self.base(parsed_args, parsed_args.other), parsed_args.release,
            parsed_args.sha256, parsed_args.constraints, parsed_args.sdist)
        for fact in facts:
            print(fact, file=sys.stderr)

    def _take(self, parsed_args, ported):
        other = self.base(parsed_args, parsed_args.like)
        merged = ported.take(
            other, series_tree.fetch(self.app.state, other))
        self.found = not merged or any(merged.values())
        return ('File', 'Conflicts left'), sorted(merged.items())

    def _carry(self, parsed_args, ported):
        if parsed_args.go_on:
            return ported.go_on()
        other = self.base(parsed_args, parsed_args.other)
        LOG.info('carrying the series of %s over', other.name)
        return ported.begin(
            other, series_tree.fetch(self.app.state, other))

    def _told(self, base, tree, state):
        for subject in state.not_needed:
            print('it has that already: %s' % subject, file=sys.stderr)
        self.found = bool(state.conflicts or state.misfits)
        if state.conflicts:
            print('%d patches are commits of %s; of %d left, this one '
                  'conflicts: %s %s\nMend the files, then go on with '
                  '"nova-volops patch port %s --continue".' % (
                      state.done, tree.path, state.left, state.patch[:4],
                      state.subject, base.name), file=sys.stderr)
        else:
            if state.misfits:
                print('Every patch is merged, but what is listed does not fit '
                      'this release: correct it in the commits.',
                      file=sys.stderr)
            print('%d patches are commits of %s; write them by "nova-volops '
                  'patch export %s"' % (state.done, tree.path, base.name),
                  file=sys.stderr)
        return ('File', 'Conflict', 'Lines', 'Also in'), [
            (each.path, each.why, ', '.join(map(str, each.lines)),
             ', '.join(each.elsewhere)) for each in state.conflicts] + [
                 (path, what, str(line), '')
                 for path, line, what in state.misfits]
