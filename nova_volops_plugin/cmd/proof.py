# SPDX-License-Identifier: Apache-2.0

"""nova-volops proof: run the checks that the present trees lack."""

import contextlib

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import files
from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin import patches_folder
from nova_volops_plugin.proof import catalog
from nova_volops_plugin.proof import document
from nova_volops_plugin.proof import records
from nova_volops_plugin.proof import runner
from nova_volops_plugin import result

_RESULTS = {records.CURRENT: result.PASSED, records.FAILED: result.FAILED,
            records.OLD: result.SKIPPED, records.MISSING: result.SKIPPED}


class Proof(check.Check):
    """Run what is missing of the proof of the present trees.

    What came of each check is recorded, with the trees it ran, beside
    reference/proof.rst, which is written from these records. A check that is
    interrupted is run again the next time. The exit code is 0 when none has
    failed on the present trees, else 3.
    """

    COLUMNS = ('Base', 'Check', 'State', 'Found', 'Command')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--status', action='store_true',
            help='run nothing; say what is valid for the present trees')
        parser.add_argument(
            '--hours', metavar='H', type=numbers.positive,
            help='begin nothing that would not end within H hours (default: '
                 'run all)')
        parser.add_argument(
            '--base', metavar='BASE', action='append', default=[],
            type=nova_base.Base.load,
            help='only this base; may be repeated (default: all)')
        parser.add_argument(
            '--check', metavar='CHECK', action='append', default=[],
            help='only this check; may be repeated (default: all, which are '
                 '%s)' % ', '.join(catalog.NAMES))
        return parser

    def parts(self, parsed_args):
        return []

    def _write(self, path, runs):
        files.write_whole(path.with_suffix('.rst'),
                          document.text(self._kept, runs))

    def results(self, parsed_args):
        path = records.path(patches_folder.root())
        self._kept = records.Records(path)
        everything = catalog.runs(nova_base.load_all())
        runs = catalog.runs(parsed_args.base or nova_base.load_all(),
                            parsed_args.check)
        problems = {}
        if not parsed_args.status:
            # A check may be new, or have another name.
            self._write(path, everything)
            # A cloud may be up between two of them.
            with contextlib.closing(runner.missing(
                    self.app.state, self._kept, runs,
                    parsed_args.hours)) as ended:
                for run, problem in ended:
                    problems[tuple(run.words)] = problem
                    self._write(path, everything)
        self._states = [self._kept.state(run) for run in runs]
        for run, state in zip(runs, self._states):
            problem = problems.get(tuple(run.words))
            yield result.Result(
                (run.base.name, run.check.name, state,
                 problem or _counts(self._kept.of(run)),
                 ' '.join(run.words)),
                result.FAILED if problem else _RESULTS[state])

    def closing(self):
        yield ('%d of %d results are valid for the present trees; %d are '
               'old, %d are missing' % (
                   len(self._states) - self._states.count(records.OLD) -
                   self._states.count(records.MISSING), len(self._states),
                   self._states.count(records.OLD),
                   self._states.count(records.MISSING)))


def _counts(record):
    return ', '.join('%d %s' % (number, kind) for kind, number in
                     record['counts'].items()) if record else ''
