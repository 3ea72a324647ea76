# SPDX-License-Identifier: Apache-2.0

"""Common code of the commands that run Nova's own tests."""

from nova_volops_plugin.bases import threads
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.series import nova_tests


class SuiteOptions(series_options.SeriesOptions):
    """Mixed into a cliff command."""

    def add_suites(self, parser):
        """Take kinds of tests and threads, and the number of processes."""
        kinds = parser.add_mutually_exclusive_group()
        for kind in nova_tests.KINDS:
            kinds.add_argument(
                '--' + kind, dest='kinds', action='store_const',
                const=(kind,), default=nova_tests.KINDS,
                help='only the %s tests' % kind)
        self.add_run(parser)

    def add_run(self, parser):
        """Take the kind of threads and the number of processes."""
        parser.add_argument(
            '--threads', metavar='KIND', choices=threads.MODES,
            help='only with these threads, "native" or "eventlet" (default: '
                 'one after the other all that the base runs with)')
        parser.add_argument(
            '--concurrency', metavar='N', type=numbers.at_least(1),
            help='the number of processes (default: one a processor)')
