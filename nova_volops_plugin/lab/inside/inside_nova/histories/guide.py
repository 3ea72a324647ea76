# SPDX-License-Identifier: Apache-2.0

"""Guides the search to operations and faults that were rare so far."""

import collections

# How much more than in other histories an operation counts in its own.
_AGAIN = 20


class Guide:
    """Knows what was asked for in which situation, and what hit it.

    What a history shows counts from the next :meth:`learn` on, so that the
    histories until then do not depend on their order.

    :ivar known: a dict: ``asked``, how often each operation was asked for in
        each situation; ``most``, how many calls, writes or messages an
        operation was seen to make, by the words of :meth:`_key`. What was
        injected is not in it: there is too much of that to be kept

    :param known: the ``known`` of an earlier search, or an empty dict
    :param kinds: the kinds of operations; one that comes twice is to be done
        twice as often
    """

    def __init__(self, known, kinds):
        self.known = {name: dict(known.get(name, {}))
                      for name in ('asked', 'most')}
        self._weights = collections.Counter(kinds)
        self._tried = collections.Counter()
        self._notes = []

    def note(self, history):
        """Take down what a :class:`history.History` shows."""
        self._notes.append((history.record.situations, history.record.met))

    def learn(self):
        """Use what was noted."""
        asked, most = self.known['asked'], self.known['most']
        for situations, met in self._notes:
            for kind, situation in situations:
                for key in _asked(kind, situation):
                    asked[key] = asked.get(key, 0) + 1
            for word, trouble, times in met:
                key = self._key(word, trouble)
                most[key] = max(times, most.get(key, 0))
                self._tried[_trial(word, trouble)] += 1
        self._notes.clear()

    def pick(self, candidates, present, asked):
        """Return the operation that was done least, or the first such.

        What counts is that part of the situation in which it was done least.

        :param candidates: a list of :class:`operations.Operation`
        :param present: a :class:`applicable.Present`
        :param asked: what was asked for in this history, a Counter
        """
        def times(operation):
            kind = operation.kind
            return (min(self.known['asked'].get(key, 0) for key in _asked(
                kind, present.situation(operation))) +
                _AGAIN * asked[kind]) / self._weights[kind]

        return min(candidates, key=times)

    def choose(self, word, troubles):
        """Return the trouble that an operation had least, or None.

        It is one like those that are given, and has something to hit.

        :param word: the word of the operation
        :param troubles: an iterable of :class:`trouble.Trouble`
        """
        found = [each for each in (
            self.likely(word, each) for each in troubles)
            if self.finds(word, each)]
        return min(found, default=None,
                   key=lambda each: self._tried[_trial(word, each)])

    def likely(self, word, trouble):
        """Return a trouble like another one that has something to hit.

        :param word: the word of the operation
        :param trouble: a :class:`trouble.Trouble`
        """
        if trouble.name and not self.finds(word, trouble):
            trouble = trouble._replace(name=None)
        most = self.known['most'].get(self._key(word, trouble))
        if most is None or trouble.nth <= most:
            return trouble
        # None so far may mean that there was no volume to ask Cinder for.
        return trouble._replace(nth=1 + (trouble.nth - 1) % (most or 1))

    def finds(self, word, trouble):
        """Whether an operation may have what a trouble hits."""
        return self.known['most'].get(self._key(word, trouble)) != 0

    @staticmethod
    def _key(word, trouble):
        in_copy = trouble.kind == 'rival' and not trouble.nth
        return ' '.join(filter(None, (
            word, 'copy' if in_copy else trouble.kind, trouble.name)))


def _asked(kind, situation):
    return ['%s, %s' % (kind, part) for part in situation]


def _trial(word, trouble):
    rival = trouble.rival and trouble.rival.kind
    return (word, *trouble._replace(rival=rival))
