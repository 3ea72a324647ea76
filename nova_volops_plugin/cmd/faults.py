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

"""nova-volops faults: each volume flow with each call to Cinder failing."""

import pathlib
import sys

from cliff import lister

from nova_volops_plugin.cmd import progress
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.faults import matrix
from nova_volops_plugin.faults import table


class Faults(progress.Progress, lister.Lister):
    """Make each call to Cinder fail in each way, and look for what is lost.

    The calls of a flow are found by a healthy run. A cell of the table says
    what came of the flow: done, undone, error (the server is in ERROR) or
    other; "*" marks a broken invariant that is to be expected, "!" one that
    is not. Other formats have one row for each case. The exit code is 0 when
    there is no "!", else 3.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--base', metavar='BASE', default='2026.2',
            help='the base whose patched Nova is run (default: 2026.2)')
        parser.add_argument(
            '--flow', metavar='FLOW', action='append', default=[],
            help='only this flow; may be repeated (default: all)')
        parser.add_argument(
            '--call', metavar='CALL',
            help='only this call, for example "attachment_update(data)"')
        parser.add_argument(
            '--fault', metavar='FAULT', action='append', default=[],
            help='only this way to fail: an HTTP status, timeout, dropped, '
                 'lost, crash or crash-after; may be repeated (default: all)')
        parser.add_argument(
            '--sample', metavar='N', type=int,
            help='only so many cases, evenly taken from all')
        parser.add_argument(
            '--document', metavar='FILE',
            help='also write the table there, as reStructuredText')
        parser.add_argument(
            '--log', metavar='FILE', help='write there what Nova logs')
        return parser

    def take_action(self, parsed_args):
        arguments = []
        for name in ('flow', 'fault'):
            for value in getattr(parsed_args, name):
                arguments += ['--' + name, value]
        for name in ('call', 'sample'):
            value = getattr(parsed_args, name)
            if value is not None:
                arguments += ['--' + name, str(value)]
        # The table is for a person, who wants the count below it.
        self._out = (self.app.stdout if parsed_args.formatter == 'table'
                     else sys.stderr)
        self._cases = []
        for case in matrix.run(self.app.state, parsed_args.base, arguments,
                               parsed_args.log, self.progress):
            self._cases.append(case)
            if case.result == matrix.FAILED:
                sys.stderr.write(table.describe(case) + '\n')
            self.progress('%s %s %s: %s' % (
                case.flow, case.call, case.fault, case.outcome))
        if parsed_args.document:
            pathlib.Path(parsed_args.document).write_text(
                table.document(self._cases))
        if parsed_args.formatter == 'table':
            return table.matrix(self._cases)
        return table.ROW, [table.row(case) for case in self._cases]

    def run(self, parsed_args):
        super().run(parsed_args)
        self._out.write('faults: %s\n' % matrix.count(self._cases))
        failed = any(case.result == matrix.FAILED for case in self._cases)
        return series_options.FOUND if failed else 0
