# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch: verify, lint and export the series."""

from concurrent import futures
import os

from cliff import command
from cliff import lister

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import git
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import detect
from nova_volops_plugin.series import export
from nova_volops_plugin.series import lint
from nova_volops_plugin.series import tree as series_tree
from nova_volops_plugin.series import verify


class Findings(series_options.SeriesOptions, lister.Lister):
    """A list whose exit code says whether something is to be fixed."""

    found = False

    def run(self, parsed_args):
        return super().run(parsed_args) or (
            series_options.FOUND if self.found else 0)


class Verify(Findings):
    """Check that each base with its series gives the recorded tree id.

    So does each topic with those it needs, where the series has several.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_only(parser)
        parser.add_argument(
            '--combinations', action='store_true',
            help='check that every combination of topics (of those that have '
                 'one of --only) can be made, and that its modules compile '
                 'and use no name of a topic that is left out')
        self.add_base(parser, 'verify this base only', optional=True)
        return parser

    def take_action(self, parsed_args):
        bases = self.bases(parsed_args)

        def verified(base):
            return list(verify.verify(
                base, series_tree.fetch(self.app.state, base),
                parsed_args.only, parsed_args.combinations))

        if parsed_args.combinations:
            # Threads would wait for each other, and a signal for all of them.
            results = [verified(base) for base in bases]
        else:
            with futures.ThreadPoolExecutor(os.cpu_count()) as executor:
                results = list(executor.map(verified, bases))
        self.found = any(each.problem for found in results for each in found)
        return ('Base', 'Topics', 'Patches', 'Tree', 'Result'), [
            (base.name, each.topics, each.patches, each.tree,
             each.problem or 'as recorded')
            for base, found in zip(bases, results) for each in found]


class Lint(Findings):
    """Check every base's series; say how to fix what is wrong.

    What a base that lags behind still needs is listed as open, and does not
    fail.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--since', metavar='COMMIT',
            help='the commit in which patches that are the same in several '
                 'bases must stay so (default: HEAD of the repository that '
                 'has the bases)')
        return parser

    def run(self, parsed_args):
        code = super().run(parsed_args)
        # Any other format is for a machine, which gets the rows alone.
        if parsed_args.formatter == 'table':
            self.app.stdout.write(self._summary + '\n')
        return code

    def take_action(self, parsed_args):
        findings = lint.lint(parsed_args.patches, parsed_args.since)
        wrong = [each for each in findings if not each.open]
        self.found = bool(wrong)
        self._summary = '%s%s in %s' % (
            _count(len(wrong), 'finding'),
            ', %d open' % (len(findings) - len(wrong))
            if len(findings) > len(wrong) else '',
            _count(len(nova_base.names(parsed_args.patches)), 'base'))
        return ('File', 'Check', 'How to fix'), [
            (each.file, each.check + ' (open)' * each.open, each.message)
            for each in findings]


def _count(number, word):
    return '%d %s%s' % (number, word, 's' * (number != 1))


class Export(series_options.SeriesOptions, command.Command):
    """Write a tree's commits as the series of a base.

    The commits after the released base's become one patch each, numbered
    together with the other bases' patches; the tree they give is recorded in
    base.conf. The same commits always give the same bytes.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_folder(parser)
        parser.add_argument(
            '--since', metavar='COMMIT',
            help='the commit the series begins after (default: the newest '
                 'one with the files of the released base, else the one that '
                 '"apply" began at)')
        parser.add_argument(
            '--alone', action='store_true',
            help='number the patches without regard to the other bases, '
                 'which have the old order still; export those next')
        self.add_base(parser, 'the base to write')
        return parser

    def take_action(self, parsed_args):
        base = self.base(parsed_args)
        fetched = series_tree.fetch(self.app.state, base)
        own = checkout.Checkout(fetched, git.isolated(fetched))
        tree = detect.open_git(parsed_args.tree) if parsed_args.tree else own
        since = tree.commit(parsed_args.since) if parsed_args.since else \
            export.start(tree, base)
        changed = export.export(
            base, own.git, tree, since, parsed_args.patches,
            parsed_args.alone)
        if tree is own:
            tree.mark(since)
        for name in changed:
            self.app.stdout.write('wrote %s\n' % name)
        if not changed:
            self.app.stdout.write('%s is as the tree has it\n' % base.path)
