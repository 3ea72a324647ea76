# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
