# SPDX-License-Identifier: Apache-2.0

"""Injects faults for the duration of a context."""

from inside_nova.histories import operations
from inside_nova.histories import other_cinder
from inside_nova.histories import other_services
from inside_nova.histories import trouble

_OF_MESSAGES = ('hold', 'late', 'lose')
_OF_CALLS = ('call', 'write')
# The fixtures of the cloud that give them.
_OF_HOSTS = {'host': 'host_faults', 'silent': 'silence'}


class Injection:
    """One trouble, and whether it hit anything.

    :param history: a :class:`history.History`
    :param given: a :class:`trouble.Trouble`
    :param step: the word of the operation
    :param after: a rival is not handled before this Injection hit something
    """

    def __init__(self, history, given, step, after=None):
        self.trouble = given
        self._calls = history.calls
        self._nova = nova = history.nova
        self._within = None
        if given.kind == 'copy':
            self._within = trouble.StopInCopy(nova.crashes, nova.contents)
        elif given.kind == 'rival':
            self._within = trouble.Rival(
                nova.rules, nova.contents, given.nth,
                lambda: operations.do(history, given.rival),
                lambda: after is None or after.fired)
        elif (given.kind == 'other-cinder' and
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
        elif kind in other_services.SERVICES:
            self._nova.other_services.begin(kind, nth, fault)
        elif kind in _OF_HOSTS:
            self._of_hosts.begin(nth, fault)
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
        elif self.trouble.kind in other_services.SERVICES:
            self._nova.other_services.pause()
        elif self.trouble.kind in _OF_HOSTS:
            # What it hit is asked for afterwards.
            self._counted = self._of_hosts.left, self._of_hosts.hit
            self._of_hosts.pause()

    @property
    def _of_hosts(self):
        return getattr(self._nova, _OF_HOSTS[self.trouble.kind])

    @property
    def fired(self):
        """Whether it hit anything."""
        kind = self.trouble.kind
        if self._within:
            return self._within.started
        if kind in _OF_CALLS:
            return self._calls.fired
        if kind in _OF_MESSAGES:
            return bool(self._nova.messages.fired)
        if kind == 'spawn':
            return self._nova.spawns.fired
        if kind in _OF_HOSTS:
            return bool(self._counted[1])
        return kind in other_services.SERVICES and bool(
            self._nova.other_services.hit)

    @property
    def met(self):
        """How many it met of what it can hit, until it did."""
        kind = self.trouble.kind
        if kind in _OF_HOSTS:
            return self.trouble.nth - self._counted[0]
        counts = self._within
        if kind in _OF_CALLS:
            counts = self._calls
        elif kind in _OF_MESSAGES:
            counts = self._nova.messages
        elif kind in other_services.SERVICES:
            counts = self._nova.other_services
        if not self.trouble.nth or not hasattr(counts, 'left'):
            return int(self.fired)
        return self.trouble.nth - counts.left

    @property
    def hit(self):
        """What it hit and what it was, two words."""
        kind, _nth, fault, rival, _name = self.trouble
        if kind in _OF_CALLS:
            name = self._calls.hit.partition('#')[0]
            if kind == 'call':
                name = name.partition('(')[0]
            return '%s %s' % (name, fault)
        if kind in other_services.SERVICES:
            return '%s %s' % (self._nova.other_services.hit, fault)
        if kind in _OF_HOSTS:
            return '%s %s' % (self._counted[1], fault)
        if kind in _OF_MESSAGES:
            return '%s %s' % (self._nova.messages.fired, kind)
        return {'rival': 'rival %s' % (rival and rival.kind),
                'copy': 'copy crash', 'spawn': 'spawn refused'}.get(kind, kind)

    def told(self):
        """Return it as a dict that can be written as JSON."""
        kind, nth, fault, rival, name = self.trouble
        found = {'kind': kind, 'nth': nth}
        if fault:
            where = (self._nova.other_services
                     if kind in other_services.SERVICES else self._calls).hit
            if kind in _OF_HOSTS:
                where = self._counted[1]
            found.update(fault=fault, call=where or kind)
        if rival:
            found['rival'] = list(rival)
        if name:
            found['name'] = name
        return found


def of(history, troubles, step):
    """Return an Injection for each trouble, a list.

    A rival comes in the middle of what is done about another failure of
    Cinder, if there is one.
    """
    found = []
    for each in _together(troubles):
        calls = [injection for injection in found
                 if injection.trouble.kind in _OF_CALLS]
        found.append(Injection(history, each, step, *calls))
    return found


def _together(troubles):
    """Return those troubles that one request can have, a list.

    There is one counter of calls, one of messages and one of services.
    """
    found = {}
    for each in troubles:
        for number, kinds in enumerate((
                _OF_CALLS, (*_OF_MESSAGES, 'spawn'),
                other_services.SERVICES, tuple(_OF_HOSTS))):
            if each.kind in kinds:
                found.setdefault(number, each)
                break
        else:
            found[each.kind] = each
    # A rival is entered last, so that it has ended before calls go well.
    return sorted(found.values(), key=lambda each: each.kind == 'rival')
