# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch branches: create the branches to review."""

from cliff import lister

from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.series import branches
from nova_volops_plugin.series import detect


class Branches(series_options.SeriesOptions, lister.Lister):
    """Make a branch a topic in a git checkout of Nova, or update them.

    Each has the commits of the topics that its own needs, and its own. They
    are made of the checkout's commits where it has some of the series, and
    else of the series. HEAD, index and files stay as they are.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--tree', metavar='DIR', required=True,
            help='a git checkout of Nova')
        self.add_base(parser, 'what it is of (default: found out)',
                      optional=True)
        return parser

    def take_action(self, parsed_args):
        detect.open_git(parsed_args.tree)
        tree, base = self.tree_and_base(parsed_args)
        return ('Topic', 'Branch', 'Commits', 'Change'), [
            (each.topic, each.name, each.commits, each.change)
            for each in branches.make(tree, base, self.fetched(base))]
