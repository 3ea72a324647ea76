# SPDX-License-Identifier: Apache-2.0

"""Faults of hosts, and the connections of hosts.

A disconnect, a power-off or the removal of a disk fails, or takes so long
that its caller gives it up. A request to a host that is up gets no answer.
"""

import contextlib
import functools
import threading
import time

import fixtures
from nova import exception
from nova.virt import libvirt
from oslo_messaging import exceptions
from oslo_messaging.rpc import client

CALLS = ('_connect_volume', '_disconnect_volume', 'power_off',
         'detach_volume')
FAULTS = ('refused', 'hangs')
SILENCES = ('unreachable', 'unheard', 'interrupt')
HANG_SECONDS = 1.5
_KEYS = ('volume_id', 'serial')


class _OneFault(fixtures.Fixture):
    """Counts calls until the one that has a fault.

    :ivar hit: the call that had it, or None
    :ivar left: how many are missing until it is met
    """

    def begin(self, nth, fault):
        """Give a fault to the nth call from now on, from 1."""
        self.left, self._fault, self.hit = nth, fault, None

    def pause(self):
        """Let everything work."""
        self.left, self._fault, self.hit = 0, None, None

    @contextlib.contextmanager
    def suspended(self):
        """Let everything work meanwhile."""
        fault, self._fault = self._fault, None
        try:
            yield
        finally:
            self._fault = fault

    def _has_fault(self, name):
        if self._fault is None or self.hit:
            return False
        self.left -= 1
        if self.left:
            return False
        self.hit = name
        return True


class HostFaults(_OneFault):
    """Gives the fault to the nth call of those of CALLS.

    :ivar connected: triples of host, server and volume, a set
    :ivar refused: those that could not be disconnected in this step, a set
    """

    def setUp(self):
        super().setUp()
        self.connected = set()
        self.refused = set()
        self.pause()
        for name in CALLS:
            self.useFixture(fixtures.MonkeyPatch(
                'nova.virt.libvirt.LibvirtDriver.' + name,
                self._watched(name, getattr(libvirt.LibvirtDriver, name))))

    def _watched(self, name, method):
        @functools.wraps(method)
        def call(driver, *args, **kwargs):
            what = name.endswith('connect_volume') and _connection(
                driver, *args, **kwargs)
            try:
                if self._has_fault(name):
                    self._fail(name)
                result = method(driver, *args, **kwargs)
            except Exception:
                if name == '_disconnect_volume':
                    # It asks Cinder, too, which may have a fault.
                    self.refused.add(what)
                raise
            if name == '_connect_volume':
                self.connected.add(what)
            elif name == '_disconnect_volume':
                self.connected.discard(what)
            return result
        return call

    def _fail(self, name):
        if self._fault == 'hangs':
            time.sleep(HANG_SECONDS)
        raise exception.InternalError('%s: the device is busy' % name)


def _connection(driver, context, connection_info, instance, *args, **kwargs):
    volume = next((connection_info[key] for key in _KEYS
                   if connection_info.get(key)), None) or (
                       connection_info.get('data', {}).get('volume_id'))
    return driver._host.get_hostname(), instance.uuid, volume


class Silence(_OneFault):
    """Lets the nth request to a host from now on get no answer.

    ``unreachable`` does not arrive, ``unheard`` does; with ``interrupt`` who
    waits for the answer, a command, is interrupted.
    """

    def setUp(self):
        super().setUp()
        self.pause()
        self._here = threading.local()
        call = client._BaseCallContext.call
        cast = client._BaseCallContext.cast

        def noted_cast(context, ctxt, method, **kwargs):
            # It waits for no answer, but for that of the embedded cloud.
            self._here.casts = True
            try:
                return cast(context, ctxt, method, **kwargs)
            finally:
                self._here.casts = False

        def call_or_not(context, ctxt, method, **kwargs):
            if not self._is_it(context.target.server, method):
                return call(context, ctxt, method, **kwargs)
            if self._fault != 'unreachable':
                call(context, ctxt, method, **kwargs)
            if self._fault == 'interrupt':
                raise KeyboardInterrupt()
            raise exceptions.MessagingTimeout('the host does not answer')

        for name, method in (('call', call_or_not), ('cast', noted_cast)):
            self.useFixture(fixtures.MonkeyPatch(
                'oslo_messaging.rpc.client._BaseCallContext.' + name, method))

    def _is_it(self, server, method):
        return (server and not getattr(self._here, 'casts', False) and
                self._has_fault(method))
