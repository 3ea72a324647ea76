# SPDX-License-Identifier: Apache-2.0

"""nova-volops faults histories: random requests, troubles and rivals."""

import sys
import time

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check
from nova_volops_plugin.faults import histories
from nova_volops_plugin.faults import histories_test
from nova_volops_plugin import result


class Histories(check.Check):
    """Let a machine make histories, and look for what no trouble explains.

    A history is what users, operators and misfortune do to a few servers and
    volumes, some of it at the same time. When everything works again, all
    that the guests wrote must be there, nothing may be left without an owner
    and everything must be possible to delete. One that fails is made as short
    as it can be and told on stderr, as a test of the series. The exit code is
    0 when none does, else 3.
    """

    COLUMNS = ('Batch', 'Wrong', 'Steps', 'What')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser, 'the base whose patched Nova is run')
        parser.add_argument(
            '--seed', metavar='S', type=int, default=0,
            help='the same number gives the same histories (default: 0)')
        parser.add_argument(
            '--minutes', metavar='M', type=float,
            help='begin no further batch of histories after so long')
        parser.add_argument(
            '--batches', metavar='N', type=int,
            help='make so many batches (default: 1, or what --minutes '
                 'allows)')
        parser.add_argument(
            '--results', metavar='FILE',
            help='keep there what came of each batch, and go on after the '
                 'last one that is in it')
        parser.add_argument(
            '--nova-log', metavar='FILE',
            help='write there what Nova logs')
        return parser

    def results(self, parsed_args):
        self._started = time.monotonic()
        minutes, batches = parsed_args.minutes, parsed_args.batches
        histories.require_numbers(minutes, batches)
        if minutes is None and batches is None:
            batches = 1
        self._batches = []
        for batch in histories.run(
                self.app.state, parsed_args.base, parsed_args.seed, minutes,
                batches, parsed_args.nova_log, self.progress,
                parsed_args.results):
            self._batches.append(batch)
            for found in batch.found:
                sys.stderr.write(histories_test.test_of(found) + '\n')
            self.progress('batch %d: %d histories, %d steps, %d found' % (
                batch.number, batch.histories, batch.steps,
                len(batch.found)))
            for found in batch.found:
                yield result.Result(
                    (batch.number, found.kind, len(found.steps), found.text),
                    result.FAILED)
            for _passed in range(batch.histories - len(batch.found)):
                yield result.Result((), result.PASSED)

    def table(self, results):
        return self.COLUMNS, [
            each.cells for each in results if each.result == result.FAILED]

    def closing(self):
        yield '%d histories of %d steps, %d s, %d s of processors' % (
            sum(batch.histories for batch in self._batches),
            sum(batch.steps for batch in self._batches),
            time.monotonic() - self._started,
            sum(batch.cpu_seconds for batch in self._batches))
        yield from histories.coverage(self._batches)
