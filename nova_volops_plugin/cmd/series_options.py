# SPDX-License-Identifier: Apache-2.0

"""Common code of the commands for the series."""

import functools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.series import detect
from nova_volops_plugin.series import tree as series_tree

# A check found something; see doc/source/reference/exit-codes.rst.
FOUND = 3


class SeriesOptions:
    """Mixed into a cliff command."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--patches', metavar='DIR',
            help='the folder of the bases (default: the patches that came '
                 'with this tool)')
        return parser

    def add_base(self, parser, help, optional=False):
        parser.add_argument(
            'base', metavar='BASE', nargs='?' if optional else None,
            help=help)

    def add_tree(self, parser):
        """Take a tree to work on, a base or both."""
        self.add_folder(parser)
        self.add_base(parser, 'what the tree is of (default: found out; '
                              'without --tree the newest base)',
                      optional=True)

    def add_folder(self, parser):
        parser.add_argument(
            '--tree', metavar='DIR',
            help='a git tree of Nova, or a folder that holds the package '
                 '"nova" (default: the fetched tree of BASE)')

    def add_only(self, parser):
        """Take topics, a list of names or None."""
        add_only(parser, 'only these topics of the series, with those they '
                         'need (default: all)')

    def add_sdist(self, parser):
        parser.add_argument(
            '--sdist', metavar='FILE',
            help='take this source distribution instead of downloading it')

    def base(self, parsed_args, name=None):
        """Return the base of that name, by default the one asked for."""
        return nova_base.Base.load(
            name or parsed_args.base, parsed_args.patches)

    def bases(self, parsed_args):
        """Return the bases asked for, all when none was."""
        if parsed_args.base:
            return [self.base(parsed_args)]
        return nova_base.load_all(parsed_args.patches)

    def only(self, parsed_args, base):
        """Return how a tree of a base is told of topics, a dict."""
        return {'only': parsed_args.only, 'fetched': self.fetched(base)}

    def fetched(self, base):
        """Return a function that returns the path of a base's tree."""
        return functools.partial(series_tree.fetch, self.app.state, base)

    def tree_and_base(self, parsed_args):
        """Return what handles the tree asked for, and its base."""
        said = self.base(parsed_args) if parsed_args.base else None
        if parsed_args.tree:
            tree = detect.open_tree(parsed_args.tree)
            return tree, detect.identify(tree, said, parsed_args.patches)
        base = said or nova_base.default(parsed_args.patches)
        path = series_tree.fetch(self.app.state, base)
        return detect.open_tree(path), base


def add_only(parser, what):
    """Add ``--only``, which gives a list of names or None.

    :param what: what they are, for the help
    """
    parser.add_argument(
        '--only', metavar='TOPIC[,TOPIC]', type=_topics, help=what)


def _topics(text):
    """Return the names in an option."""
    return list(dict.fromkeys(filter(None, text.split(',')))) or [text]
