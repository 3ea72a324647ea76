# SPDX-License-Identifier: Apache-2.0

"""Neutron without agents: it binds every port, but forwards no packets."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi

_DRIVER = 'any_host'
_ENTRY_POINT = '''\
[neutron.ml2.mechanism_drivers]
%s = any_host_driver:AnyHostMechanismDriver
''' % _DRIVER


class Database(units.Step):
    """Neutron's tables."""

    name = 'neutron-database'
    requires = ('databases',)

    def do(self):
        folder = self.layout.folder('neutron')
        etc = self.layout.environments.neighbours / 'etc/neutron'
        sections = settings.common(
            self.layout, 'neutron', mariadb.url(self.layout, 'neutron'))
        sections['DEFAULT'].update({
            'core_plugin': 'ml2',
            'service_plugins': '',
            'state_path': folder,
            'api_paste_config': etc / 'api-paste.ini',
            'notify_nova_on_port_status_changes': 'false',
            'notify_nova_on_port_data_changes': 'false',
        })
        sections['nova'] = settings.login(self.layout, 'nova')
        sections['placement'] = settings.login(self.layout, 'neutron')
        sections['ml2'] = {
            'type_drivers': 'flat,local',
            'tenant_network_types': 'local',
            'mechanism_drivers': _DRIVER,
            'extension_drivers': '',
        }
        sections['ml2_type_flat'] = {'flat_networks': '*'}
        layout.write_ini(folder / 'neutron.conf', sections)
        self.run(
            self.layout.environments.neighbours / 'bin/neutron-db-manage',
            '--config-file', folder / 'neutron.conf', 'upgrade', 'head')


class Api(wsgi.Api):
    """The network API."""

    name = 'neutron'
    requires = ('neutron-database', 'memcached', 'rabbitmq')
    api = 'neutron'
    module = 'neutron.wsgi.api'

    def prepare(self):
        super().prepare()
        _write_driver(self.layout.folder('neutron', 'lib'))

    def environ(self):
        folder = self.layout.folder('neutron')
        return {'OS_NEUTRON_CONFIG_DIR': str(folder),
                'OS_NEUTRON_CONFIG_FILES': 'neutron.conf',
                'PYTHONPATH': str(folder / 'lib'),
                'VOLOPS_VIF_TYPE': self.layout.base.vif_type}


def _write_driver(folder):
    """Make a folder for PYTHONPATH that offers the mechanism driver."""
    source = units.DATA / 'any_host_driver.py'
    (folder / source.name).write_text(source.read_text())
    info = folder / 'any_host_driver-1.dist-info'
    info.mkdir(exist_ok=True)
    (info / 'METADATA').write_text(
        'Metadata-Version: 2.1\nName: any-host-driver\nVersion: 1\n')
    (info / 'entry_points.txt').write_text(_ENTRY_POINT)
