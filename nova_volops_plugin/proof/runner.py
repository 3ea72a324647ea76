# SPDX-License-Identifier: Apache-2.0

"""Runs the missing checks within a time limit."""

import logging
import operator
import subprocess
import sys
import time

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import child
from nova_volops_plugin.proof import records
from nova_volops_plugin import result

LOG = logging.getLogger(__name__)
PROGRAM = sys.executable, '-m', 'nova_volops_plugin.cmd.main'
# A command stops what it has started, a cloud for example.
_STOP_SECONDS = 120


def missing(state, kept, runs, hours=None):
    """Run each check whose record is not valid for the present trees.

    Those that need the same cloud run after the first of them, on one. A
    check that is interrupted leaves no record and is run again; those before
    it are not.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param kept: the :class:`records.Records`
    :param runs: a list of :class:`catalog.Run`
    :param hours: begin nothing that would take longer, a float
    :returns: a generator of pairs: a :class:`catalog.Run` that ended, and a
        sentence that says why it has no result, or None
    """
    ends = hours and time.monotonic() + 3600 * hours
    with _Preparation(state) as preparation:
        for run, began in [(run, _trees(run)) for run in _together(runs)]:
            if kept.state(run) == records.CURRENT:
                continue
            if ends and time.monotonic() + 60 * run.check.minutes > ends:
                continue
            LOG.info('%s, about %d minutes', ' '.join(run.words),
                     run.check.minutes)
            problem = _one(state, preparation, run)
            if not problem and _trees(run) != began:
                problem = 'the series changed after the proof had begun'
            if not problem:
                kept.add(run, state.result_of(run.words))
            yield run, problem


def _together(runs):
    """Put those with the same command before them next to each other."""
    first = {}
    places = [first.setdefault(_before(run) or number, number)
              for number, run in enumerate(runs)]
    return [run for _place, run in sorted(
        zip(places, runs, strict=True), key=operator.itemgetter(0))]


def _before(run):
    return tuple(run.of(run.check.before))


def _trees(run):
    """Return the ids that base.conf has now of the trees of a run."""
    return [nova_base.Base.load(name, run.base.path.parent).tree
            for name in run.trees]


class _Preparation:
    """The commands before a check and after it, once for those in a row.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    """

    def __init__(self, state):
        self._state = state
        self._run = None

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.end()

    def ensure(self, run, writer):
        """Prepare a run; return why that failed, or None."""
        if self._run and _before(self._run) == _before(run):
            return None
        self.end(writer)
        if not run.check.before:
            return None
        self._run = run
        code = _command(self._state, _before(run), writer)
        if not code:
            return None
        self.end(writer)
        return '"%s" ended with exit code %d; see %s' % (
            ' '.join(_before(run)), code, writer.name)

    def end(self, writer=subprocess.DEVNULL):
        """Undo it, as for a run that needs another one."""
        run, self._run = self._run, None
        if run and run.check.after:
            _command(self._state, run.of(run.check.after), writer)


def _one(state, preparation, run):
    """Run one check; return why it has no result, or None."""
    log = state.proof / ('-'.join(filter(None, (
        run.check.name, run.base.name, run.topic))) + '.log')
    state.forget_result(run.words)
    with open(log, 'wb') as writer:
        problem = preparation.ensure(run, writer)
        if problem:
            return problem
        code = _command(state, run.words, writer)
        # One that found something has a result as well.
        found = state.result_of(run.words)
        if not found or found['counts'][result.FAILED]:
            # The next one needs a cloud on which all works.
            preparation.end(writer)
    if found:
        return None
    return 'it ended with exit code %d; see %s' % (code, log)


def _command(state, words, writer):
    with child.running(
            [*PROGRAM, '--state-dir', str(state.path), *words],
            stdout=writer, stderr=subprocess.STDOUT,
            stop_seconds=_STOP_SECONDS) as process:
        return process.wait()
