# SPDX-License-Identifier: Apache-2.0

"""nova-volops lab bad-input: fuzz the API."""

import collections
import json
import logging

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.lab.faults import bad_input
from nova_volops_plugin import result

LOG = logging.getLogger(__name__)


class BadInput(check.Check):
    """Fuzz the changed APIs with requests made from their JSON schemas.

    More than half of the requests are invalid. No answer may have a status of
    500 or above, and a refused request must change nothing. A row counts the
    answers of a kind; each one that breaks these rules has a row of its own.
    The exit code is 0 when there is none, else 3.
    """

    COLUMNS = ('Request', 'Answer', 'Number', 'Result')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser)
        parser.add_argument(
            '--number', metavar='N', type=numbers.at_least(1), default=1000,
            help='number of requests (default: 1000)')
        parser.add_argument(
            '--seed', metavar='N', type=int, default=1,
            help='random seed (default: 1)')
        parser.add_argument(
            '--log', metavar='FILE', help='file for Nova\'s log')
        return parser

    def results(self, parsed_args):
        counts = collections.Counter()
        for answer in bad_input.run(
                self.app.state, parsed_args.base, parsed_args.number,
                parsed_args.seed, parsed_args.log):
            LOG.info('%s %s: %s', *answer.request[1:3], answer.code)
            if answer.result == result.PASSED:
                counts[answer.request[1], answer.code] += 1
            else:
                yield result.Result(
                    (json.dumps(answer.request), '%s %s; %s' % (
                        answer.code, answer.said, '; '.join(answer.changed)),
                     1, result.FAILED), result.FAILED)
        for (method, code), number in sorted(counts.items()):
            yield result.Result(
                (method, code, number, result.PASSED), result.PASSED, number)
