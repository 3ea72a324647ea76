# SPDX-License-Identifier: Apache-2.0

"""Aims a search at what the histories made so far have left out."""

import collections

# How much more than in other histories an operation counts in its own.
_AGAIN = 20


class Aim:
    """Knows what was asked for, and how many calls that makes.

    What a history shows counts from the next :meth:`learn` on, so that the
    histories until then do not depend on their order.

    :ivar known: a dict: ``asked``, how often each operation was asked for
        after the first of a history; ``most``, how many calls, writes or
        messages an operation was seen to make, by the words of :meth:`_key`

    :param known: the ``known`` of an earlier search, or an empty dict
    :param kinds: the kinds of operations; one that comes twice is to be done
        twice as often
    """

    def __init__(self, known, kinds):
        self.known = {name: dict(known.get(name, {}))
                      for name in ('asked', 'most')}
        self._weights = collections.Counter(kinds)
        self._asked = collections.Counter()
        self._met = {}

    def note(self, history):
        """Take down what a :class:`history.History` shows."""
        self._asked.update(history.asked)
        # It begins with one.
        self._asked['create'] -= 1
        for word, befalls, met in history.met:
            key = self._key(word, befalls)
            self._met[key] = max(met, self._met.get(key, 0))

    def learn(self):
        """Use what was noted."""
        asked, most = self.known['asked'], self.known['most']
        for word, times in self._asked.items():
            asked[word] = asked.get(word, 0) + times
        for key, met in self._met.items():
            most[key] = max(met, most.get(key, 0))
        self._asked.clear()
        self._met.clear()

    def pick(self, candidates, asked):
        """Return the operation that was done least, or the first such.

        :param candidates: a list of :class:`operations.Operation`
        :param asked: what was asked for in this history, a Counter
        """
        def times(operation):
            kind = operation.kind
            return (self.known['asked'].get(kind, 0) +
                    _AGAIN * asked[kind]) / self._weights[kind]

        return min(candidates, key=times)

    def likely(self, word, befalls):
        """Return a trouble like another one that has something to befall.

        :param word: the word of the operation
        :param befalls: a :class:`trouble.Trouble`
        """
        if befalls.name and not self.finds(word, befalls):
            befalls = befalls._replace(name=None)
        most = self.known['most'].get(self._key(word, befalls))
        if most is None or befalls.nth <= most:
            return befalls
        # None so far may mean that there was no volume to ask Cinder for.
        return befalls._replace(nth=1 + (befalls.nth - 1) % (most or 1))

    def finds(self, word, befalls):
        """Whether an operation may have what a trouble befalls."""
        return self.known['most'].get(self._key(word, befalls)) != 0

    @staticmethod
    def _key(word, befalls):
        in_copy = befalls.kind == 'rival' and not befalls.nth
        return ' '.join(filter(None, (
            word, 'copy' if in_copy else befalls.kind, befalls.name)))
