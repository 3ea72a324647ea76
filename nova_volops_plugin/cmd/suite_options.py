# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""What the commands that run Nova's own tests have in common."""

import sys

from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import threads


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
            '--concurrency', metavar='N', type=int,
            help='the number of processes (default: one a processor)')

    def count(self, text):
        """Show how far the tests are on a terminal's stderr."""
        if sys.stderr.isatty():
            sys.stderr.write('\r\033[K' + text)
            sys.stderr.flush()
