# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch: run Nova's own tests, create environments."""

from cliff import command

from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import python
from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.cmd import suite_options
from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import sampled
from nova_volops_plugin.series import tested


class Test(suite_options.SuiteOptions, check.Counted, command.Command):
    """Run Nova's own tests on a patched base.

    Without a regular expression those run that the series touches. The last
    line counts them.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_suites(parser)
        self.add_only(parser)
        parser.add_argument(
            '--unpatched', action='store_true',
            help='run them on the unpatched base')
        parser.add_argument(
            '--added', action='store_true',
            help='of what the series touches only the tests that it adds or '
                 'changes')
        parser.add_argument(
            '--share', metavar='N', type=numbers.at_least(1),
            help='run about one in N of the functional tests that the series '
                 'adds; the sample is seeded by the tree id')
        parser.add_argument(
            '--sample', metavar='PART', choices=sampled.PARTS,
            help='as many of those that the series adds or changes as the '
                 'gate has time for: "first" is what "./run test" runs of '
                 'them, "rest" what it leaves, "all" both')
        parser.add_argument(
            '--record', action='store_true',
            help='run all that the series adds or changes, and write into '
                 'base.conf with which tree they passed')
        self.add_base(parser, 'the base to test')
        parser.add_argument(
            'regex', metavar='REGEX', nargs='?',
            help='which tests, for example "test_volumes"; "." is all')
        return parser

    def take_action(self, parsed_args):
        self._check(parsed_args)
        # The series may change while they run.
        base = self.base(parsed_args)
        try:
            runs = self._runs(parsed_args, base)
            if not runs:
                self.tell('%s has no test in this part' % base)
            ran = sum((nova_tests.run(
                self.app.state, base, patched=not parsed_args.unpatched,
                concurrency=parsed_args.concurrency, only=parsed_args.only,
                **tests)
                for tests in runs),
                nova_tests.Result())
        except python.NoPython as error:
            self.tell('skipped: %s' % error)
            self.found = [result.Result((), result.SKIPPED)]
            return error.exit_code
        self.found = [
            result.Result((), kind, getattr(ran, kind))
            for kind in (result.PASSED, result.FAILED, result.SKIPPED)]
        for failure in ran.failures:
            self.tell('failed: %s' % failure)
        for log in ran.logs if ran.failed else ():
            self.tell('see %s' % log)
        if parsed_args.record and not ran.failed:
            for mode in nova_tests.modes(base, parsed_args.threads):
                tested.record(base, mode)

    @staticmethod
    def _runs(parsed_args, base):
        if parsed_args.sample:
            return sampled.runs(
                base, parsed_args.sample, parsed_args.patches)
        return [{'kinds': parsed_args.kinds, 'regex': parsed_args.regex,
                 'added': parsed_args.added or parsed_args.record,
                 'mode': parsed_args.threads, 'share': parsed_args.share}]

    def _check(self, parsed_args):
        if parsed_args.only and parsed_args.unpatched:
            raise exceptions.BadInput(
                'the unpatched base has no topic; leave out --only or '
                '--unpatched')
        if parsed_args.share and parsed_args.regex:
            raise exceptions.BadInput('--share takes no REGEX beside it')
        others = [parsed_args.unpatched, parsed_args.only,
                  parsed_args.regex, parsed_args.share,
                  parsed_args.kinds != nova_tests.KINDS]
        if parsed_args.record and any(others):
            raise exceptions.BadInput(
                '--record is for all tests that the series adds; leave out '
                'what runs fewer or others')
        others += [parsed_args.record, parsed_args.added, parsed_args.threads]
        if parsed_args.sample and any(others):
            raise exceptions.BadInput(
                '--sample says itself which tests run; leave out what runs '
                'fewer or others')


class Env(series_options.SeriesOptions, command.Command):
    """Make the virtual environment of a base; print its folder."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_base(parser, 'the base whose environment is wanted')
        return parser

    def take_action(self, parsed_args):
        self.app.stdout.write('%s\n' % environment.ensure(
            self.app.state, self.base(parsed_args)))
