# SPDX-License-Identifier: Apache-2.0

"""A number of histories, and what was found by them."""

import collections
import json
import time

from oslo_log import log as logging

from histories import machine

LOG = logging.getLogger(__name__)


def run(nova, seed, examples, steps, known, shortening):
    """Make histories; shorten those that fail.

    :param nova: a :class:`cloud.HistoryNova` that is up
    :param seed: an int
    :param examples: the number of histories
    :param steps: the most steps of one
    :param known: a set of kinds of what was found before, which grows
    :param shortening: how many histories to make to shorten one that fails
    :returns: a dict: how many ``histories`` and ``steps`` were made, how
        often each operation was ``asked`` for and ``accepted`` and what
        ``struck`` which call, what was ``found``, ``seconds``; only the
        first two count the histories that were made to shorten one, too
    """
    started = time.monotonic()
    made = collections.Counter()
    counts = {name: collections.Counter()
              for name in ('asked', 'accepted', 'struck')}
    failing = {}

    def told(one, wrong):
        made['histories'] += 1
        made['steps'] += len(one.steps)
        if not failing:
            for name, counter in counts.items():
                counter.update(getattr(one, name))
        if wrong is not None and wrong.kind not in known:
            failing[wrong.kind] = (_by_role(one), str(wrong))
            LOG.info('%d steps show %s', len(one.steps), wrong)
        made['shortening'] += bool(failing)
        return made['shortening'] >= shortening

    try:
        machine.run(machine.machine(nova, known, told), seed, examples, steps)
    except (Exception, machine.Over) as wrong:
        # Also when the shortened history does not fail every time.
        LOG.info('found %r', wrong)
        if not failing:
            raise
    found = [{'kind': kind, 'text': text, 'steps': steps}
             for kind, (steps, text) in failing.items()]
    known.update(failing)
    return {
        'seed': seed, 'histories': made['histories'], 'steps': made['steps'],
        **{name: dict(sorted(counter.items()))
           for name, counter in counts.items()},
        'found': found, 'seconds': round(time.monotonic() - started, 1)}


def _by_role(one):
    """Return the steps of a history, with roles in place of UUIDs."""
    text = json.dumps(one.steps)
    for uuid, role in one.roles.items():
        text = text.replace(uuid, '{%s}' % role)
    return json.loads(text)
