# SPDX-License-Identifier: Apache-2.0

"""nova-volops faults: each volume flow with each call to Cinder failing."""

import pathlib
import resource
import sys
import time

from cliff import lister

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import progress
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.faults import matrix
from nova_volops_plugin.faults import table

ALL = 'all'


class Faults(progress.Progress, lister.Lister):
    """Make each call to Cinder fail in each way, and look for what is lost.

    The calls of a flow are found by a healthy run, and so are the writes to
    Nova's databases before which services are stopped. A cell of the table
    says what came of the flow: done, undone, error (the server is in ERROR)
    or other; "*" marks a broken invariant that is to be expected, "!" one
    that is not. Other formats have one row for each case. The exit code is 0
    when there is no "!", else 3.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(
            parser, 'the base whose patched Nova is run, or "all"')
        parser.add_argument(
            '--flow', metavar='FLOW', action='append', default=[],
            help='only this flow; may be repeated (default: all)')
        parser.add_argument(
            '--call', metavar='CALL',
            help='only these calls, a pattern: "attachment_update(data)", '
                 '"attachment_*" or "sql-*", what is written to databases')
        parser.add_argument(
            '--fault', metavar='FAULT', action='append', default=[],
            help='only this way to fail: an HTTP status, timeout, dropped, '
                 'lost, crash, crash-after, empty or lagging for a list, '
                 'down, unreachable or unheard for a host; may be repeated '
                 '(default: all)')
        parser.add_argument(
            '--sample', metavar='N', type=int,
            help='only so many cases, evenly taken from all')
        parser.add_argument(
            '--document', metavar='FILE',
            help='also write the table there, as reStructuredText; "BASE" '
                 'in the name stands for the base')
        parser.add_argument(
            '--results', metavar='FILE',
            help='keep there what came of each case, and do not run again '
                 'those that are in it: to go on with a run that was '
                 'stopped; "BASE" as above')
        parser.add_argument(
            '--nova-log', metavar='FILE',
            help='write there what Nova logs; "BASE" as above')
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
        bases = (nova_base.names() if parsed_args.base == ALL
                 else [parsed_args.base])
        for base in bases:
            cases = self._run(
                base, arguments, _path(parsed_args.nova_log, base),
                _path(parsed_args.results, base))
            self._cases += cases
            document = _path(parsed_args.document, base)
            if document:
                document.write_text(table.document(
                    cases, nova_base.Base.load(base).tree))
        if parsed_args.formatter == 'table':
            return table.matrix(self._cases)
        return table.ROW, [table.row(case) for case in self._cases]

    def _run(self, base, arguments, log, results):
        cases = []
        for case in matrix.run(
                self.app.state, base, arguments, log, self.progress, results):
            cases.append(case)
            if case.result == matrix.FAILED:
                sys.stderr.write(table.describe(case) + '\n')
            self.progress('%s %s %s %s: %s' % (
                base, case.flow, case.call, case.fault, case.outcome))
        return cases

    def run(self, parsed_args):
        started, used = time.monotonic(), _processor_seconds()
        super().run(parsed_args)
        self._out.write('It took %d s, and %d s of a processor.\n' % (
            time.monotonic() - started, _processor_seconds() - used))
        self._out.write('faults: %s\n' % table.count(self._cases))
        failed = any(case.result == matrix.FAILED for case in self._cases)
        return series_options.FOUND if failed else 0


def _path(name, base):
    return pathlib.Path(name.replace('BASE', base)) if name else None


def _processor_seconds():
    """Return what the processes that this one has waited for have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
