# SPDX-License-Identifier: Apache-2.0

"""memcached: the cache of validated tokens."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import units


class Memcached(units.Service):
    """The cache; it forgets everything when it ends."""

    name = 'memcached'
    stop_seconds = 5

    def command(self):
        return ['memcached', '-u', 'root', '-m', '32', '-t', '2', '-U', '0',
                '-l', layout.ADDRESS, '-p', str(layout.PORTS[self.name])]

    def check(self):
        return units.greet(layout.PORTS[self.name], b'version\r\n', b'VERSION')
