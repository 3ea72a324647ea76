# SPDX-License-Identifier: Apache-2.0

"""Glance: the images, in files."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi


class Database(units.Step):
    """Glance's tables."""

    name = 'glance-database'
    requires = ('databases',)

    def do(self):
        folder = self.layout.folder('glance')
        sections = settings.common(
            self.layout, 'glance', mariadb.url(self.layout, 'glance'))
        sections['DEFAULT'].update({
            'enabled_backends': 'files:file',
            'workers': 1,
            'node_staging_uri':
                'file://%s' % self.layout.folder('glance', 'staging'),
        })
        sections['glance_store'] = {'default_backend': 'files'}
        sections['files'] = {
            'filesystem_store_datadir': self.layout.folder('glance', 'images')}
        for name in ('staging', 'tasks'):
            sections['os_glance_%s_store' % name] = {
                'filesystem_store_datadir':
                    self.layout.folder('glance', name)}
        # Older ones call the empty image of a snapshot of volumes a qcow2.
        sections['image_format'] = {'require_image_format_match': 'false'}
        sections['paste_deploy'] = {
            'flavor': 'keystone',
            'config_file': (self.layout.environments.neighbours /
                            'etc/glance/glance-api-paste.ini'),
        }
        layout.write_ini(folder / 'glance-api.conf', sections)
        self.run(
            self.layout.environments.neighbours / 'bin/glance-manage',
            '--config-file', folder / 'glance-api.conf', 'db_sync')


class Api(wsgi.Api):
    """The image API."""

    name = 'glance'
    requires = ('glance-database', 'memcached')
    api = 'glance'
    module = 'glance.wsgi.api'

    def environ(self):
        return {'OS_GLANCE_CONFIG_DIR': str(self.layout.folder('glance'))}
