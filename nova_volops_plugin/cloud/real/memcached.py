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

"""memcached: tokens that have been checked."""

from nova_volops_plugin.cloud.real import site
from nova_volops_plugin.cloud.real import units

ADDRESS = '%s:%d' % (site.ADDRESS, site.PORTS['memcached'])


class Memcached(units.Service):
    """The cache; it forgets everything when it ends."""

    name = 'memcached'
    stop_seconds = 5

    def prepare(self):
        pass

    def command(self):
        return ['memcached', '-u', 'root', '-m', '32', '-t', '2', '-U', '0',
                '-l', site.ADDRESS, '-p', str(site.PORTS[self.name])]

    def check(self):
        return units.greet(site.PORTS[self.name], b'version\r\n', b'VERSION')
