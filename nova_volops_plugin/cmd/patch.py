# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch: fetch a base, apply the series to it and remove it."""

from cliff import command
from cliff import lister
from cliff import show

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.series import combination
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
        self.add_only(parser)
        self.add_base(parser, 'list this base\'s patches', optional=True)
        return parser

    def take_action(self, parsed_args):
        bases = self.bases(parsed_args)
        listed = [combination.Series(base) for base in bases]
        chosen = [each.own(each.names(parsed_args.only))
                  if parsed_args.only else each.all for each in listed]
        if parsed_args.base:
            series = {
                each.name: series_patch.load(each)
                for each in nova_base.load_all(parsed_args.patches)}
            topics = listed[0].topics.of_patches()
            return ('Patch', 'Topic', 'Subject', 'Specification',
                    'Microversion', 'Upstream', 'Identical in'), [
                (patch.name[:4], topics.get(patch.name, ''), patch.subject,
                 patch.trailer('Spec') or '',
                 table.added_microversion(patch) or '',
                 patch.trailer('Upstream-Status') or '', '%d of %d' % (
                     len(numbering.equals(patch, series)), len(series)))
                for patch in chosen[0]]
        return ('Base', 'Nova', 'Patches', 'Topics', 'Python', 'Microversion',
                'Fetched'), [
            (base.name, base.version, len(patches),
             ', '.join(each.names(parsed_args.only)),
             ', '.join(base.pythons), base.microversions[1],
             (self.app.state.trees / base.name).is_dir())
            for base, each, patches in zip(bases, listed, chosen)]


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


class _OfTree(series_options.SeriesOptions):

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_only(parser)
        self.add_tree(parser)
        return parser


class Apply(_OfTree, command.Command):
    """Apply the series to a tree of Nova, wholly or not at all.

    With --only, topics are added to those that the tree has.
    """

    def take_action(self, parsed_args):
        tree, base = self.tree_and_base(parsed_args)
        before = tree.status(base)
        tree.apply(base, **self.only(parsed_args, base))
        status = tree.status(base)
        self.app.stdout.write(
            'applied %d patches of %s to %s%s\n' %
            (status.applied - before.applied, base.name, tree.path,
             _topics(name for name in status.topics
                     if name not in before.topics)))


class Revert(_OfTree, command.Command):
    """Remove the series from a tree of Nova, wholly or not at all.

    With --only, topics are removed from those that the tree has.
    """

    def take_action(self, parsed_args):
        tree, base = self.tree_and_base(parsed_args)
        tree.revert(base, **self.only(parsed_args, base))
        self.app.stdout.write(
            'removed the patches of %s from %s%s\n' % (
                base.name, tree.path, _topics(parsed_args.only or ())))


class Status(_OfTree, show.ShowOne):
    """Show how much of the series a tree of Nova has.

    The distance is that of the Nova below the series from the release that
    the series is for.
    """

    def take_action(self, parsed_args):
        tree, base = self.tree_and_base(parsed_args)
        status = tree.status(base, parsed_args.only)
        return (('tree', 'kind', 'base', 'distance', 'state', 'topics',
                 'applied', 'patches', 'clean'),
                (str(tree.path), tree.kind, base.name, tree.distance(base),
                 status.state, ', '.join([*status.topics, *(
                     'partly ' + name for name in status.partly)]),
                 status.applied, status.total, status.clean))


def _topics(names):
    names = ', '.join(names)
    return ': ' + names if names else ''
