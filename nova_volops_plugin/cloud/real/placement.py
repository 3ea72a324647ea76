# SPDX-License-Identifier: Apache-2.0

"""Placement: resources and allocations; each Nova has its own."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi


class Database(units.Step):
    """Placement's tables."""

    name = 'placement-database'
    requires = ('databases',)
    of_variant = True

    def do(self):
        path = self.layout.of_variant('placement') / 'placement.conf'
        sections = settings.common(self.layout, 'placement')
        sections['placement_database'] = {
            'connection': mariadb.url(
                self.layout, mariadb.of_nova(self.layout)['placement']),
            'max_pool_size': 5,
        }
        layout.write_ini(path, sections)
        self.run(
            self.layout.environments.neighbours / 'bin/placement-manage',
            '--config-file', path, 'db', 'sync')


class Api(wsgi.Api):
    """The placement API."""

    name = 'placement'
    requires = ('placement-database', 'memcached')
    api = 'placement'
    module = 'placement.wsgi.api'

    def environ(self):
        return {'OS_PLACEMENT_CONFIG_DIR':
                str(self.layout.of_variant('placement'))}
