# SPDX-License-Identifier: Apache-2.0

"""Lets trouble befall what is done as long as a context lasts."""

from inside_nova.histories import elsewhere
from inside_nova.histories import operations
from inside_nova.histories import other_cinder
from inside_nova.histories import trouble

_OF_MESSAGES = ('hold', 'late', 'lose')
_OF_CALLS = ('call', 'write')


class Strike:
    """One trouble, and whether it befell anything.

    :param history: a :class:`history.History`
    :param befalls: a :class:`trouble.Trouble`
    :param step: the word of the operation
    :param after: a rival is not handled before this Strike befell something
    """

    def __init__(self, history, befalls, step, after=None):
        self.trouble = befalls
        self._calls = history.calls
        self._nova = nova = history.nova
        self._within = None
        if befalls.kind == 'copy':
            self._within = trouble.StopInCopy(nova.crashes, nova.contents)
        elif befalls.kind == 'rival':
            self._within = trouble.Rival(
                nova.rules, nova.contents, befalls.nth,
                lambda: operations.do(history, befalls.rival),
                lambda: after is None or after.fired)
        elif (befalls.kind == 'other-cinder' and
                step not in other_cinder.ASKED_BY_CINDER):
            self._within = other_cinder.OtherCinder(nova.rules)

    def __enter__(self):
        kind, nth, fault = self.trouble[:3]
        if self._within:
            self._within.__enter__()
        elif kind in _OF_CALLS:
            self._calls.begin_numbered(kind, nth, fault, self.trouble.name)
        elif kind in _OF_MESSAGES:
            self._nova.messages.begin(kind, nth)
        elif kind == 'spawn':
            self._nova.spawns.begin()
            if nth:
                self._nova.messages.begin('late', nth)
        elif kind in elsewhere.SERVICES:
            self._nova.elsewhere.begin(kind, nth, fault)
        return self

    def __exit__(self, *error):
        if self._within:
            self._within.__exit__(*error)
        elif self.trouble.kind in _OF_CALLS:
            self._calls.pause()
        elif self.trouble.kind in _OF_MESSAGES:
            self._nova.messages.pause()
        elif self.trouble.kind == 'spawn':
            self._nova.messages.pause()
            self._nova.spawns.pause()
        elif self.trouble.kind in elsewhere.SERVICES:
            self._nova.elsewhere.pause()

    @property
    def fired(self):
        """Whether it befell anything."""
        kind = self.trouble.kind
        if self._within:
            return self._within.started
        if kind in _OF_CALLS:
            return self._calls.fired
        if kind in _OF_MESSAGES:
            return bool(self._nova.messages.fired)
        if kind == 'spawn':
            return self._nova.spawns.fired
        return kind in elsewhere.SERVICES and bool(self._nova.elsewhere.struck)

    @property
    def met(self):
        """How many it met of what it can befall, until it did."""
        kind = self.trouble.kind
        counts = self._within
        if kind in _OF_CALLS:
            counts = self._calls
        elif kind in _OF_MESSAGES:
            counts = self._nova.messages
        elif kind in elsewhere.SERVICES:
            counts = self._nova.elsewhere
        if not self.trouble.nth or not hasattr(counts, 'left'):
            return int(self.fired)
        return self.trouble.nth - counts.left

    @property
    def struck(self):
        """What it befell and what it was, two words."""
        kind, _nth, fault, rival, _name = self.trouble
        if kind in _OF_CALLS:
            name = self._calls.struck.partition('#')[0]
            if kind == 'call':
                name = name.partition('(')[0]
            return '%s %s' % (name, fault)
        if kind in elsewhere.SERVICES:
            return '%s %s' % (self._nova.elsewhere.struck, fault)
        if kind in _OF_MESSAGES:
            return '%s %s' % (self._nova.messages.fired, kind)
        return {'rival': 'rival %s' % (rival and rival.kind),
                'copy': 'copy crash', 'spawn': 'spawn refused'}.get(kind, kind)

    def told(self):
        """Return it as a dict that can be written as JSON."""
        kind, nth, fault, rival, name = self.trouble
        found = {'kind': kind, 'nth': nth}
        if fault:
            where = (self._nova.elsewhere if kind in elsewhere.SERVICES
                     else self._calls).struck
            found.update(fault=fault, call=where or kind)
        if rival:
            found['rival'] = list(rival)
        return found


def of(history, troubles, step):
    """Return a Strike for each trouble, a list.

    A rival comes in the middle of what is done about another failure of
    Cinder, if there is one.
    """
    found = []
    for each in _together(troubles):
        calls = [strike for strike in found
                 if strike.trouble.kind in _OF_CALLS]
        found.append(Strike(history, each, step, *calls))
    return found


def _together(troubles):
    """Return those troubles that can befall one request, a list.

    There is one counter of calls, one of messages and one of services.
    """
    found = {}
    for each in troubles:
        for number, kinds in enumerate(
                (_OF_CALLS, (*_OF_MESSAGES, 'spawn'), elsewhere.SERVICES)):
            if each.kind in kinds:
                found.setdefault(number, each)
                break
        else:
            found[each.kind] = each
    # A rival is entered last, so that it has ended before calls go well.
    return sorted(found.values(), key=lambda each: each.kind == 'rival')
