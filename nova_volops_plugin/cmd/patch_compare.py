# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch compare: run Nova's whole suites on both trees."""

import sys

from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import suite_options
from nova_volops_plugin import result
from nova_volops_plugin.series import whole_suite


class Compare(suite_options.SuiteOptions, check.Check):
    """Run Nova's whole suites; find what fails with the series only.

    That takes hours. An interrupted run continues where it stopped, and a run
    for the same series shows the results of the last one.
    """

    COLUMNS = ('Kind', 'Threads', 'Part', 'Passed', 'Failed', 'Skipped',
               'Result', 'Fails with the series only')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_suites(parser)
        parser.add_argument(
            '--restart', action='store_true',
            help='forget the results of earlier runs')
        self.add_base(parser, 'the base to test')
        return parser

    def parts(self, parsed_args):
        base = self.base(parsed_args)
        return [(base, True), (base, False)]

    def results(self, parsed_args):
        for part in whole_suite.run(
                self.app.state, self.base(parsed_args), parsed_args.kinds,
                parsed_args.restart, parsed_args.concurrency,
                parsed_args.threads):
            broken = [name for name, why in part.failures.items()
                      if why == whole_suite.BROKEN]
            for name, why in sorted(part.failures.items()):
                print('%s (%s threads): %s' % (name, part.mode, why),
                      file=sys.stderr)
            reasons = list(part.failures.values())
            passed = part.passed + reasons.count(whole_suite.UNSTEADY)
            verdict = result.of(not broken)
            yield result.Result(
                (part.kind, part.mode, part.name, part.passed, part.failed,
                 part.skipped, verdict, ' '.join(sorted(broken))),
                verdict, len(broken) or passed)
            if broken:
                yield result.Result((), result.PASSED, passed)
            yield result.Result(
                (), result.SKIPPED,
                part.skipped + reasons.count(whole_suite.AS_RELEASED))
