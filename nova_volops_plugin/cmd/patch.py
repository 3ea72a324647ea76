# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch: fetch a base, apply the series to it and remove it."""

from cliff import command
from cliff import lister
from cliff import show

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import table
from nova_volops_plugin.series import tree as series_tree


class List(series_options.SeriesOptions, lister.Lister):
    """List the bases, or the patches of one base.

    A patch is identical in those bases in which it adds and takes away the
    same lines of the same files, wherever these are.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_base(parser, 'list this base\'s patches', optional=True)
        return parser

    def take_action(self, parsed_args):
        bases = self.bases(parsed_args)
        if parsed_args.base:
            series = {
                each.name: series_patch.load(each)
                for each in nova_base.load_all(parsed_args.patches)}
            return ('Patch', 'Subject', 'Specification', 'Microversion',
                    'Upstream', 'Identical in'), [
                (patch.name[:4], patch.subject, patch.trailer('Spec') or '',
                 table.added_microversion(patch) or '',
                 patch.trailer('Upstream-Status') or '', '%d of %d' % (
                     len(numbering.equals(patch, series)), len(series)))
                for patch in series[bases[0].name]]
        return ('Base', 'Nova', 'Patches', 'Python', 'Microversion',
                'Fetched'), [
            (base.name, base.version, len(series_patch.load(base)),
             ', '.join(base.pythons), base.microversions[1],
             (self.app.state.trees / base.name).is_dir())
            for base in bases]


class Fetch(series_options.SeriesOptions, show.ShowOne):
    """Make the git tree of a base from its source distribution."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_base(parser, 'the base to fetch')
        self.add_sdist(parser)
        return parser

    def take_action(self, parsed_args):
        base = self.base(parsed_args)
        path = series_tree.fetch(self.app.state, base, parsed_args.sdist)
        return ('base', 'nova', 'tree'), (base.name, base.version, str(path))


class _Change(series_options.SeriesOptions, command.Command):

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_tree(parser)
        return parser


class Apply(_Change):
    """Apply the series to a tree of Nova, wholly or not at all."""

    def take_action(self, parsed_args):
        tree, base = self.tree_and_base(parsed_args)
        tree.apply(base)
        self.app.stdout.write(
            'applied %d patches of %s to %s\n' %
            (tree.status(base).applied, base.name, tree.path))


class Revert(_Change):
    """Remove the series from a tree of Nova, wholly or not at all."""

    def take_action(self, parsed_args):
        tree, base = self.tree_and_base(parsed_args)
        tree.revert(base)
        self.app.stdout.write(
            'removed the patches of %s from %s\n' % (base.name, tree.path))


class Status(series_options.SeriesOptions, show.ShowOne):
    """Show how much of the series a tree of Nova has.

    The distance is that of the Nova below the series from the release that
    the series is for.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_tree(parser)
        return parser

    def take_action(self, parsed_args):
        tree, base = self.tree_and_base(parsed_args)
        status = tree.status(base)
        return (('tree', 'kind', 'base', 'distance', 'state', 'applied',
                 'patches', 'clean'),
                (str(tree.path), tree.kind, base.name, tree.distance(base),
                 status.state, status.applied, status.total, status.clean))
