# SPDX-License-Identifier: Apache-2.0

"""Give each of several compute hosts in one process its own CONF.host.

Nova has one configuration a process, so the hosts of its functional tests all
take the last one's name for theirs, and a disk is not detached on the others.
"""

import functools
import inspect
import threading

import fixtures
import nova.conf

_MODULES = ('nova.compute.manager.CONF', 'nova.virt.block_device.CONF',
            'nova.virt.libvirt.driver.CONF')
_serving = threading.local()


class OwnHostNames(fixtures.Fixture):
    """Let compute code see the host of the call that it serves."""

    def _setUp(self):
        for name in _MODULES:
            self.useFixture(fixtures.MonkeyPatch(name, _Configuration()))


class OwnConnectors(fixtures.Fixture):
    """Let Cinder know a compute by its own name, whoever asks the compute."""

    def _setUp(self):
        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.libvirt.LibvirtDriver.get_volume_connector',
            lambda driver, instance: {
                'host': driver._host.get_connection().hostname}))


class _Configuration:

    def __getattr__(self, name):
        host = getattr(_serving, 'host', None)
        if name == 'host' and host:
            return host
        return getattr(nova.conf.CONF, name)


def name_calls(manager):
    """Let every remote call of a compute manager see its host's name.

    :param manager: a nova.compute.manager.ComputeManager
    """
    for name, method in inspect.getmembers(manager, inspect.ismethod):
        if not name.startswith('_'):
            setattr(manager, name, _named(method, manager.host))


def _named(method, host):
    @functools.wraps(method)
    def call(*args, **kwargs):
        before = getattr(_serving, 'host', None)
        _serving.host = host
        try:
            return method(*args, **kwargs)
        finally:
            _serving.host = before
    return call
