# SPDX-License-Identifier: Apache-2.0

"""Clients outside this cloud that use Cinder's volumes.

What Cinder takes for free they may have at any time; from then on it is
theirs, and nothing that this Nova does may take it from them or touch it.
"""

import itertools

from oslo_utils import uuidutils

_CONNECTOR = {'host': 'elsewhere', 'mode': 'rw'}


class Others:
    """Who has which volume besides the servers of a history.

    :param history: a :class:`history.History`
    :ivar had: the id of the attachment by volume
    """

    def __init__(self, history):
        self._history = history
        self._rules = history.nova.rules
        self._numbers = itertools.count(1)
        self._wrote = {}
        self.had = {}

    def take(self, volume):
        """Give a volume that is free to somebody, who writes to it."""
        if volume in self.had or self._rules.status(volume) != 'available':
            return False
        self.had[volume] = self._rules.add_attachment(
            volume, uuidutils.generate_uuid(), 'attached', _CONNECTOR)
        self._history.model.given_away(volume)
        text = 'others write %d' % next(self._numbers)
        self._wrote[volume] = text
        self._history.nova.contents.of[volume] += (text,)
        return True

    def give_back(self):
        """Have nobody else have a volume any more."""
        there = {row['id'] for row in self._rules.attachments()}
        for volume, attachment in self.had.items():
            if attachment in there:
                self._rules.remove_attachment(attachment)
        self.had.clear()

    def broken(self):
        """Yield what was done to them: kind and text."""
        roles = self._history.roles
        there = {row['id'] for row in self._rules.attachments()}
        for volume, attachment in self.had.items():
            name = roles.get(volume)
            if attachment not in there:
                yield 'robbed', '%s was taken from others' % name
            if self._wrote[volume] not in self._history.nova.contents.of[
                    volume]:
                yield 'overwritten others', (
                    'what others wrote is not on %s' % name)
