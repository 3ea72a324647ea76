# SPDX-License-Identifier: Apache-2.0

"""The steps and findings of a history."""

import collections

from oslo_log import log as logging

from inside_nova.histories.broken import Broken

LOG = logging.getLogger(__name__)


class Record:
    """Grows with each step.

    :ivar steps: what was done, a list of dicts
    :ivar asked: a Counter of the operations that were asked for
    :ivar accepted: a Counter of those that were accepted or done
    :ivar hits: a Counter of what was injected: pairs of the call, write or
        message, and what became of it
    :ivar met: triples of an operation, a trouble it was to have and how many
        there were of what that hits
    :ivar situations: pairs of an operation and the situation it was asked for
        in, as :meth:`applicable.Present.situation` returns it
    :ivar findings: what is wrong, a list of :class:`broken.Broken`
    :ivar word: the operation that is done, ``end`` after the last
    """

    def __init__(self):
        self.steps = []
        self.asked = collections.Counter()
        self.accepted = collections.Counter()
        self.hits = collections.Counter()
        self.met = []
        self.situations = []
        self.findings = []
        self.word = self._word_before = 'end'
        self._told = set()

    def begin(self, word):
        """Begin a step: what is seen is of it."""
        self.word = word

    def skip(self):
        """Have the step do nothing: what is seen is of the one before."""
        self.word = self._word_before

    def end(self):
        """End a step."""
        self._word_before, self.word = self.word, 'end'

    def tell(self, kind, text):
        """Tell that something is wrong."""
        text = str(text)
        if (kind, text) in self._told:
            # It goes on from one step to the next.
            return
        self._told.add((kind, text))
        wrong = Broken(kind, text, self.word)
        if wrong.signature not in {each.signature for each in self.findings}:
            LOG.info('found %s', wrong.signature)
            self.findings.append(wrong)
