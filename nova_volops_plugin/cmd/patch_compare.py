# SPDX-License-Identifier: Apache-2.0

"""The command that holds Nova's whole suites against the released tree."""

import sys

from nova_volops_plugin.cmd import patch_check
from nova_volops_plugin.cmd import suite_options
from nova_volops_plugin.series import whole_suite


class Compare(suite_options.SuiteOptions, patch_check.Findings):
    """Run Nova's whole suites; find what fails with the series only.

    That takes hours. An interrupted run continues where it stopped, and a run
    for the same series shows the results of the last one.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_suites(parser)
        parser.add_argument(
            '--restart', action='store_true',
            help='forget the results of earlier runs')
        self.add_base(parser, 'the base to test')
        return parser

    def take_action(self, parsed_args):
        rows = []
        for part in whole_suite.run(
                self.app.state, self.base(parsed_args), parsed_args.kinds,
                parsed_args.restart, parsed_args.concurrency,
                parsed_args.threads):
            broken = [name for name, why in part.failures.items()
                      if why == whole_suite.BROKEN]
            self.found = self.found or bool(broken)
            for name, why in sorted(part.failures.items()):
                print('%s (%s threads): %s' % (name, part.mode, why),
                      file=sys.stderr)
            rows.append((part.kind, part.mode, part.name, part.passed,
                         part.failed, part.skipped,
                         ' '.join(sorted(broken))))
        return ('Kind', 'Threads', 'Part', 'Passed', 'Failed', 'Skipped',
                'Fails with the series only'), rows
