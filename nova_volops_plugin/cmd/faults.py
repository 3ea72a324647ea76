# SPDX-License-Identifier: Apache-2.0

"""nova-volops lab faults: each flow with each call to Cinder failing."""

import logging
import pathlib
import sys
import time

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import child
from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.lab.faults import matrix
from nova_volops_plugin.lab.faults import names
from nova_volops_plugin.lab.faults import table
from nova_volops_plugin import result

LOG = logging.getLogger(__name__)

ALL = 'all'


class Faults(check.Check):
    """Inject each fault into each call to Cinder; check what is lost.

    A run without faults finds the calls of a flow, and the writes to Nova's
    databases before which services are stopped. A cell of the table is the
    outcome of the flow: done, undone, error (the server is in ERROR) or
    other; "*" marks a violated invariant that is expected, "!" one that is
    not. Other formats have one row for each case. The exit code is 0 when
    there is no "!", else 3.
    """

    COLUMNS = table.ROW

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(
            parser, 'the base whose patched Nova is run, or "all"', (ALL,))
        parser.add_argument(
            '--flow', metavar='FLOW', action='append', default=[],
            choices=names.FLOWS,
            help='only this flow; may be repeated (default: all, which are '
                 '%s)' % ', '.join(names.FLOWS))
        parser.add_argument(
            '--call', metavar='CALL',
            help='only these calls, a pattern: "attachment_update(data)", '
                 '"attachment_*" or "sql-*", what is written to databases')
        parser.add_argument(
            '--fault', metavar='FAULT', action='append', default=[],
            choices=names.FAULTS,
            help='fault to inject: an HTTP status, timeout, dropped, lost, '
                 'crash, crash-after, empty or lagging for a list, down, '
                 'unreachable or unheard for a host; may be repeated '
                 '(default: all)')
        parser.add_argument(
            '--sample', metavar='N', type=numbers.at_least(1),
            help='run an evenly spaced sample of N cases')
        parser.add_argument(
            '--document', metavar='FILE',
            help='also write the table to this file, as reStructuredText; '
                 '"BASE" in the name stands for the base')
        parser.add_argument(
            '--results', metavar='FILE',
            help='file of the results, which also continues a stopped run: '
                 'cases that are in it are not run again; "BASE" as above')
        parser.add_argument(
            '--nova-log', metavar='FILE',
            help='file for Nova\'s log; "BASE" as above')
        return parser

    def results(self, parsed_args):
        arguments = []
        for name in ('flow', 'fault'):
            for value in getattr(parsed_args, name):
                arguments += ['--' + name, value]
        for name in ('call', 'sample'):
            value = getattr(parsed_args, name)
            if value is not None:
                arguments += ['--' + name, str(value)]
        self._started = time.monotonic()
        self._used = child.processor_seconds()
        self._cases = []
        for base, _patched in self.parts(parsed_args):
            cases = self._run(
                base, arguments, _path(parsed_args.nova_log, base),
                _path(parsed_args.results, base))
            self._cases += cases
            document = _path(parsed_args.document, base)
            if document:
                document.write_text(table.document(cases, base.tree))
        for case in self._cases:
            yield result.Result(
                table.row(case), result.of(case.result != result.FAILED))

    def parts(self, parsed_args):
        if parsed_args.base == ALL:
            return [(base, True) for base in nova_base.load_all()]
        return super().parts(parsed_args)

    def table(self, results):
        if self.is_table:
            return table.matrix(self._cases)
        return super().table(results)

    def _run(self, base, arguments, log, results):
        cases = []
        for case in matrix.run(
                self.app.state, base, arguments, log, results):
            cases.append(case)
            if case.result == result.FAILED:
                sys.stderr.write(table.describe(case) + '\n')
            LOG.info('%s %s %s %s: %s', base, case.flow, case.call,
                     case.fault, case.outcome)
        return cases

    def closing(self):
        yield 'It took %d s, and %d s of a processor.' % (
            time.monotonic() - self._started,
            child.processor_seconds() - self._used)


def _path(name, base):
    return pathlib.Path(name.replace('BASE', base.name)) if name else None
