# SPDX-License-Identifier: Apache-2.0

"""Names the calls to Cinder and lets one of them fail.

A call is named after the method of Nova's volume API, the part the volume
plays in the flow, and its number among those of that kind:
``attachment_update(data)#2``. The first has no number.

Where services are stopped, so are the transactions that write to Nova's
databases, after the first of their writes: ``sql-update(instances)#3``. A
request to a host to repair attachments is named ``host-clean_up``.
"""

import collections

from nova.tests.fixtures import cinder_status

from inside_nova.fault_matrix import host_calls
from inside_nova.fault_matrix import wrong_lists

# What comes instead of Cinder's answer; the values are the HTTP status, and
# whether the call took effect.
FAULTS = {
    **{str(code): (code, False)
       for code in (400, 401, 403, 404, 409, 413, 500, 503)},
    'timeout': ('timeout', False),
    'dropped': ('dropped', False),
    'lost': ('timeout', True),
}

# The service that calls Cinder stops, before the call or after it.
CRASHES = {'crash': False, 'crash-after': True}
_WRITE = 'sql-'

# Those after which Cinder may be working on a request.
_UNKNOWN = ('500', '503', 'timeout', 'dropped')

ALL_FAULTS = (*FAULTS, *CRASHES, *wrong_lists.FAULTS, *host_calls.FAULTS)

# They change nothing, so an answer that is lost is a time-out.
READING = ('get', 'attachment_get', 'attachment_get_all',
           'attachment_get_page', 'lists_services', 'get_all')

_OF_ATTACHMENT = ('attachment_get', 'attachment_update',
                  'attachment_complete', 'attachment_delete')


def faults_of(call, crashes):
    """Return the names of the faults that a call can have.

    :param call: the name of a call
    :param crashes: whether the services may stop
    """
    if call.startswith(_WRITE):
        # What follows the write is the next one, or a call.
        return ['crash']
    if call.startswith(host_calls.PREFIX):
        return list(host_calls.FAULTS)
    names = [*FAULTS, *(CRASHES if crashes else ())]
    method = call.partition('(')[0]
    if method in READING:
        names = [name for name in names
                 if name not in ('lost', 'crash-after')]
    if method in wrong_lists.LISTS:
        names += wrong_lists.FAULTS
    return names


def _error(what):
    if what == 'timeout':
        return cinder_status.timeout()
    if what == 'dropped':
        return cinder_status.dropped()
    return cinder_status.http_error(what)


class Calls(list):
    """The calls of a flow, in place of the list that the rules keep.

    The rules put a call here before they look for a fault that it hits.

    :param with_writes: whether to name what is written to databases, too
    :ivar names: the names of all calls since :meth:`begin`
    :ivar fired: whether the fault was met
    """

    def __init__(self, rules, roles, crashes, hosts, with_writes=False):
        super().__init__()
        self._rules = rules
        self._wrong_lists = wrong_lists.WrongLists(rules)
        self._hosts = hosts
        self._crashes = crashes
        self._with_writes = with_writes
        self._roles = roles
        self._named = False
        self._fault = (None, None)

    def begin(self, call=None, fault=None):
        """Name the calls from now on.

        :param call: the name of the call that is to fail
        :param fault: one of ALL_FAULTS
        """
        self._counts = collections.Counter()
        self._fault = (call, fault)
        self.names = []
        self._named = True
        self.fired = False
        self._hosts.on_call = self._call_host
        if self._with_writes:
            self._crashes.on_write = self._write

    @property
    def stops(self):
        """Whether a service is to stop, which tells nothing then."""
        return self._fault[1] in CRASHES

    def may_have_taken_effect(self, names):
        """Whether Cinder may do what it was asked for, as far as Nova knows.

        :param names: beginnings of the names of calls, a tuple
        """
        call, fault = self._fault
        return fault in _UNKNOWN and call.startswith(names)

    def pause(self):
        """Let all calls succeed again, and name no more of them."""
        self._rules.heal()
        self._wrong_lists.end()
        self._hosts.on_call = None
        self._crashes.on_write = None
        self._named = False

    def end(self):
        """Pause; return the names."""
        self.pause()
        return self.names

    def remember(self):
        """Have lists that lag behind show what is attached now."""
        self._wrong_lists.remember()

    def append(self, call):
        self._crashes.check()
        self._wrong_lists.end()
        super().append(call)
        if not self._named:
            return
        # That of a list is a filter.
        target = call.target if isinstance(call.target, str) else None
        volume = self._rules._volume_of(target) or target
        fault = self._name('%s(%s)' % (call.name, self._roles.get(volume, '')))
        if fault in CRASHES:
            self._rules.fail(call.name, self._crashes.stop,
                             after=CRASHES[fault])
        elif fault in wrong_lists.FAULTS:
            self._wrong_lists.begin(fault)
        elif fault:
            what, after = FAULTS[fault]
            if what == 404 and call.name in _OF_ATTACHMENT:
                # Who says so has no such attachment.
                self._rules.remove_attachment(call.target)
            self._rules.fail(call.name, _error(what), after=after)

    def _write(self, verb, table):
        if self._name('%s%s(%s)' % (_WRITE, verb, table)):
            raise self._crashes.stop()

    def _call_host(self, method):
        return self._name(host_calls.PREFIX + method)

    def _name(self, kind):
        """Name a call; return the fault that it is to have, or None."""
        self._counts[kind] += 1
        name = kind if self._counts[kind] == 1 else '%s#%d' % (
            kind, self._counts[kind])
        self.names.append(name)
        wanted, fault = self._fault
        if name != wanted or self.fired:
            return None
        self.fired = True
        return fault
