# SPDX-License-Identifier: Apache-2.0

"""A batch of histories, and its findings."""

import collections
import time

from oslo_log import log as logging

from inside_nova.histories import again
from inside_nova.histories import machine

LOG = logging.getLogger(__name__)
_COUNTED = ('asked', 'accepted', 'hits')


class Batch:
    """Makes histories, tells all that is new, and shortens it.

    A search goes on for what is not known yet, whatever else the histories
    show.

    :param nova: a :class:`cloud.HistoryNova` that is up
    :param seed: an int
    :param known: a set of signatures of what was found before, which grows
    :param guide: the :class:`guide.Guide` of the search
    :ivar mistaken: whether the checks themselves failed
    """

    def __init__(self, nova, seed, known, guide):
        self._nova = nova
        self._seed = seed
        self._known = known
        self._guide = guide
        self.mistaken = False
        self._found = {}
        self._made = collections.Counter()
        self._counts = {name: collections.Counter() for name in _COUNTED}
        self._started = time.monotonic()
        self._cpu = time.process_time()

    def run(self, examples, steps):
        """Make histories; return the result.

        :param examples: the number of histories
        :param steps: the most steps of one
        :returns: as :meth:`result` does
        """
        try:
            machine.run(
                machine.machine(self._nova, self._judged, self._guide),
                self._seed, examples, steps)
        except machine.Mistake as mistake:
            LOG.exception('the checks failed')
            self.mistaken = True
            one = self._nova.history
            self._keep(one, 'mistake', 'mistake, %s' % one.record.word,
                       'the checks failed: %r' % mistake.__cause__)
        for signature, found in self._found.items():
            if found['kind'] != 'mistake':
                found['steps'] = again.shortened(
                    self._nova, signature, found['steps'])
        self._guide.learn()
        return self.result()

    def result(self):
        """Return what was made and found, a dict.

        How many ``histories`` and ``steps`` were made, how often each
        operation was ``asked`` for and ``accepted``, how often what was
        injected ``hits`` which call, what was ``found``, ``seconds``,
        ``cpu_seconds``. Only the last two count what was made to shorten a
        history, too. What the search has learnt is in ``guide``.
        """
        return {
            'seed': self._seed, 'histories': self._made['histories'],
            'steps': self._made['steps'],
            **{name: dict(sorted(counter.items()))
               for name, counter in self._counts.items()},
            'found': list(self._found.values()),
            'guide': self._guide.known,
            'seconds': round(time.monotonic() - self._started, 1),
            'cpu_seconds': round(time.process_time() - self._cpu, 1)}

    def progress(self):
        """Return what differs from one step to the next."""
        one = self._nova.history
        return self._made['histories'], one and len(one.record.steps)

    def give_up(self):
        """Have it that the present history does not end."""
        one = self._nova.history
        self._keep(one, 'hang', 'hang, %s' % one.record.word,
                   'a request waits for ever: %s' % (one.record.steps[-1:],))

    def _judged(self, one):
        self._made['histories'] += 1
        self._made['steps'] += len(one.record.steps)
        for name, counter in self._counts.items():
            counter.update(getattr(one.record, name))
        self._guide.note(one)
        for each in one.record.findings:
            if each.signature not in self._known:
                self._known.add(each.signature)
                self._keep(one, each.kind, each.signature, str(each))

    def _keep(self, one, kind, signature, text):
        self._found[signature] = {
            'kind': kind, 'signature': signature, 'text': text,
            'after': self._made['histories'], 'steps': again.by_role(one)}
