# SPDX-License-Identifier: Apache-2.0

"""Runs random histories in a process of the base, and reports failures."""

import collections
import dataclasses
import json
import pathlib
import tempfile
import time

from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin.lab.faults import matrix
from nova_volops_plugin.series import nova as series_nova

# The last release that works with the attrs of all bases.
REQUIREMENTS = ('hypothesis==6.82.7',)


@dataclasses.dataclass(frozen=True)
class Batch:
    """What came of a number of histories.

    :param number: its place in the run, from 0
    :param histories: how many were made, those to shorten one left out
    :param steps: how many steps they had
    :param asked: how often each operation was asked for, a dict
    :param accepted: how often it was accepted, a dict
    :param hits: how often which trouble hit which call, write, message
        or request, a dict by names such as ``attachment_create timeout``
    :param found: what failed, a tuple of :class:`Found`
    :param guide: what the search has learnt for the next ones, a dict
    :param seconds: float, by the clock
    :param cpu_seconds: float, of processors
    """

    number: int
    histories: int
    steps: int
    asked: dict
    accepted: dict
    hits: dict
    found: tuple
    guide: dict
    seconds: float
    cpu_seconds: float


@dataclasses.dataclass(frozen=True)
class Found:
    """A history that fails, as short as it could be made.

    :param kind: what is wrong, one of a few words
    :param signature: what tells it from other defects, a str
    :param text: what is wrong, a sentence
    :param after: how many histories of its batch were made until then
    :param steps: a list of dicts: ``step``, the words of what was done;
        ``requests``, each a list of method, path, body and the status of the
        answer; ``troubles``, what hit them, a list of dicts, if anything did
    """

    kind: str
    signature: str
    text: str
    after: int
    steps: list


def read(line):
    """Return the :class:`Batch` of a line of JSON."""
    told = json.loads(line)
    return Batch(
        told['batch'], told['histories'], told['steps'], told['asked'],
        told['accepted'], told['hits'],
        tuple(Found(**found) for found in told['found']),
        told['guide'], told['seconds'], told['cpu_seconds'])


def coverage(batches):
    """Return what a run consisted of, a list of sentences."""
    asked, accepted, hits = (
        sum((collections.Counter(getattr(batch, name)) for batch in batches),
            collections.Counter()) for name in ('asked', 'accepted', 'hits'))
    return [
        '%d of %d operations were accepted, of %d kinds' % (
            sum(accepted.values()), sum(asked.values()), len(+accepted)),
        'faults injected %d times, in %d different ways' % (
            sum(hits.values()), len(hits))]


def run(state, base, seed=0, minutes=None, batches=None, log=None,
        results=None, size=None):
    """Yield each :class:`Batch` as it ends.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param seed: an int; the same gives the same histories
    :param minutes: when to end, a float; a batch is not interrupted
    :param batches: the number of batches after which to end
    :param log: the file for what Nova logs, a path; by default it is lost
    :param results: a file, a path: each batch is kept there as it comes, and
        none is made again that is in it
    :param size: the number of histories in a batch, by default 20
    :raises BadInput: the file is of another tree
    :raises VolopsError: the process failed
    """
    kept = results and matrix.Results(
        pathlib.Path(results), '%s, seed %d' % (base.tree, seed))
    nova = series_nova.ensure(state, base, extras=REQUIREMENTS)
    ended = [read(line) for line in kept.lines] if kept else []
    yield from ended
    ends = minutes and time.monotonic() + 60 * minutes
    known = [found.signature for batch in ended for found in batch.found]
    guide = ended[-1].guide if ended else {}
    number = len(ended)
    while not (batches and number >= batches or
               ends and time.monotonic() > ends):
        before = number
        words = ['inside_nova.histories', '--seed', str(seed),
                 '--first', str(number),
                 '--guide', json.dumps(guide)]
        for signature in known:
            words += ['--known', signature]
        if size:
            words += ['--size', str(size)]
        if ends:
            words += ['--minutes', str((ends - time.monotonic()) / 60)]
        if batches:
            words += ['--batches', str(batches - number)]
        # It ends early where a history does not end.
        with process.running(nova, words, log) as histories:
            for line in histories.lines():
                batch = read(line)
                if kept:
                    kept.add(line.rstrip('\n'))
                number += 1
                known += [found.signature for found in batch.found]
                guide = batch.guide
                yield batch
        if number == before:
            return


def as_released(state, base, found):
    """Yield of each history whether the release shows the same in it.

    It is made again on the base without the series, several times as what is
    done at the same time may end in another order.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param found: a list of :class:`Found`
    :returns: a generator of bool, in the order of the list
    :raises VolopsError: the process failed
    """
    if not found:
        return
    series = series_nova.ensure(state, base, extras=REQUIREMENTS)
    nova = series_nova.ensure(state, base, False, extras=REQUIREMENTS)
    yield from _shown(nova, found, '--series', str(series.tree))


def shown_again(state, base, found):
    """Yield of each history whether the series shows the same in it.

    The parameters and what is raised are those of :func:`as_released`.
    """
    yield from _shown(
        series_nova.ensure(state, base, extras=REQUIREMENTS), found)


def _shown(nova, found, *words):
    with tempfile.NamedTemporaryFile('w') as file:
        json.dump([dataclasses.asdict(each) for each in found], file)
        file.flush()
        with process.running(nova, [
                'inside_nova.histories', '--again', file.name,
                *words]) as histories:
            for line in histories.lines():
                yield json.loads(line)
