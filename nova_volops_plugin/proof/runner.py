# SPDX-License-Identifier: Apache-2.0

"""Runs the missing checks within a time limit."""

import logging
import subprocess
import sys
import time

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import child
from nova_volops_plugin.proof import records

LOG = logging.getLogger(__name__)
PROGRAM = sys.executable, '-m', 'nova_volops_plugin.cmd.main'
# A command stops what it has started, a cloud for example.
_STOP_SECONDS = 120


def missing(state, kept, runs, hours=None):
    """Run each check whose record is not valid for the present trees.

    A check that is interrupted leaves no record and is run again; those
    before it are not.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param kept: the :class:`records.Records`
    :param runs: a list of :class:`catalog.Run`
    :param hours: begin nothing that would take longer, a float
    :returns: a generator of pairs: a :class:`catalog.Run` that ended, and a
        sentence that says why it has no result, or None
    """
    ends = hours and time.monotonic() + 3600 * hours
    for run, began in [(run, _trees(run)) for run in runs]:
        if kept.state(run) == records.CURRENT:
            continue
        if ends and time.monotonic() + 60 * run.check.minutes > ends:
            continue
        LOG.info('%s, about %d minutes', ' '.join(run.words),
                 run.check.minutes)
        problem = _one(state, run)
        if not problem and _trees(run) != began:
            problem = 'the series changed after the proof had begun'
        if not problem:
            kept.add(run, state.result_of(run.words))
        yield run, problem


def _trees(run):
    """Return the ids that base.conf has now of the trees of a run."""
    return [nova_base.Base.load(name, run.base.path.parent).tree
            for name in run.trees]


def _one(state, run):
    """Run one check; return why it has no result, or None."""
    log = state.proof / ('-'.join(filter(None, (
        run.check.name, run.base.name, run.topic))) + '.log')
    state.forget_result(run.words)
    with open(log, 'wb') as writer:
        try:
            if run.check.before:
                code = _command(state, run.of(run.check.before), writer)
                if code:
                    return '"%s" ended with exit code %d; see %s' % (
                        ' '.join(run.of(run.check.before)), code, log)
            code = _command(state, run.words, writer)
        finally:
            if run.check.after:
                _command(state, run.of(run.check.after), writer)
    # One that found something has a result as well.
    if not state.result_of(run.words):
        return 'it ended with exit code %d; see %s' % (code, log)
    return None


def _command(state, words, writer):
    with child.running(
            [*PROGRAM, '--state-dir', str(state.path), *words],
            stdout=writer, stderr=subprocess.STDOUT,
            stop_seconds=_STOP_SECONDS) as process:
        return process.wait()
