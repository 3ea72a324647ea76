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

"""Placement: what hosts have and servers take; each Nova has its own."""

from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import site
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi


class Database(units.Step):
    """Placement's tables."""

    name = 'placement-database'
    requires = ('databases',)
    of_variant = True

    def do(self):
        path = self.site.of_variant('placement') / 'placement.conf'
        sections = settings.common(self.site, 'placement')
        sections['placement_database'] = {
            'connection': mariadb.url(
                self.site, mariadb.of_nova(self.site)['placement']),
            'max_pool_size': 5,
        }
        site.write_ini(path, sections)
        self.run(
            self.site.environments.neighbours / 'bin/placement-manage',
            '--config-file', path, 'db', 'sync')


class Api(wsgi.Api):
    """The placement API."""

    name = 'placement'
    requires = ('placement-database', 'memcached')
    api = 'placement'
    module = 'placement.wsgi.api'

    def environ(self):
        return {'OS_PLACEMENT_CONFIG_DIR':
                str(self.site.of_variant('placement'))}
