# SPDX-License-Identifier: Apache-2.0

"""nova-volops lab faults histories: stateful random testing."""

import logging
import sys
import time

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.lab.faults import histories
from nova_volops_plugin.lab.faults import histories_test
from nova_volops_plugin import result

LOG = logging.getLogger(__name__)


class Histories(check.Check):
    """Stateful random testing (Hypothesis) with injected faults.

    A history is a random sequence of requests of users and operators for a
    few servers and volumes, some of them concurrent, with faults injected.
    After all services have recovered, the data that the guests wrote must be
    intact, nothing may be left without an owner and everything must be
    possible to delete. A history that fails is shrunk and made again on the
    release. If that shows the same, it is listed as skipped; if not, it is
    printed on stderr as a test of the series, and the exit code is 3, else 0.
    """

    COLUMNS = ('Batch', 'Wrong', 'Steps', 'Release', 'What')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser, 'the base whose patched Nova is run')
        parser.add_argument(
            '--seed', metavar='S', type=int, default=0,
            help='random seed (default: 0)')
        parser.add_argument(
            '--minutes', metavar='M', type=numbers.positive,
            help='start no further batch of histories after M minutes')
        parser.add_argument(
            '--batches', metavar='N', type=numbers.at_least(1),
            help='number of batches (default: 1, or what --minutes allows)')
        parser.add_argument(
            '--results', metavar='FILE',
            help='file of the results, which also continues a stopped run '
                 'after its last batch')
        parser.add_argument(
            '--nova-log', metavar='FILE', help='file for Nova\'s log')
        return parser

    def results(self, parsed_args):
        self._started = time.monotonic()
        minutes, batches = parsed_args.minutes, parsed_args.batches
        if minutes is None and batches is None:
            batches = 1
        self._batches = []
        for batch in histories.run(
                self.app.state, parsed_args.base, parsed_args.seed, minutes,
                batches, parsed_args.nova_log, parsed_args.results):
            self._batches.append(batch)
            LOG.info('batch %d: %d histories, %d steps, %d found',
                     batch.number, batch.histories, batch.steps,
                     len(batch.found))
            yield result.Result(
                (), result.PASSED, batch.histories - len(batch.found))
        yield from self._found(parsed_args)

    def _found(self, parsed_args):
        found = [(batch.number, found) for batch in self._batches
                 for found in batch.found]
        same = histories.as_released(
            self.app.state, parsed_args.base,
            [each for _number, each in found])
        for (number, each), is_same in zip(found, same, strict=True):
            if not is_same:
                sys.stderr.write(histories_test.test_of(each) + '\n')
            yield result.Result(
                (number, each.kind, len(each.steps),
                 'the same' if is_same else 'not so', each.text),
                result.SKIPPED if is_same else result.FAILED)

    def closing(self):
        yield '%d histories of %d steps, %d s, %d s of processors' % (
            sum(batch.histories for batch in self._batches),
            sum(batch.steps for batch in self._batches),
            time.monotonic() - self._started,
            sum(batch.cpu_seconds for batch in self._batches))
        yield from histories.coverage(self._batches)
