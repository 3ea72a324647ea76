# SPDX-License-Identifier: Apache-2.0

"""nova-volops bad-input: requests that nobody should send."""

import collections
import json

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check
from nova_volops_plugin.faults import bad_input
from nova_volops_plugin import result


class BadInput(check.Check):
    """Send requests made from the API's schemas, most of them wrong.

    Nova must answer each with less than 500, and what it refuses must change
    nothing. One row counts the answers of a kind; one that must not be has
    a row of its own. The exit code is 0 when there is none, else 3.
    """

    COLUMNS = ('Request', 'Answer', 'Number', 'Result')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser)
        parser.add_argument(
            '--number', metavar='N', type=int, default=1000,
            help='so many requests (default: 1000)')
        parser.add_argument(
            '--seed', metavar='N', type=int, default=1,
            help='the same seed makes the same requests (default: 1)')
        parser.add_argument(
            '--log', metavar='FILE', help='write there what Nova logs')
        return parser

    def results(self, parsed_args):
        counts = collections.Counter()
        for answer in bad_input.run(
                self.app.state, parsed_args.base, parsed_args.number,
                parsed_args.seed, parsed_args.log, self.progress):
            self.progress('%s %s: %s' % (*answer.request[1:3], answer.code))
            if not answer.passed:
                yield result.Result(
                    (json.dumps(answer.request), '%s %s; %s' % (
                        answer.code, answer.said, '; '.join(answer.changed)),
                     1, result.FAILED), result.FAILED)
            counts[answer.request[1], answer.code] += answer.passed
        for (method, code), number in sorted(counts.items()):
            if number:
                yield result.Result(
                    (method, code, number, result.PASSED), result.PASSED)
