# SPDX-License-Identifier: Apache-2.0

"""Cinder on Ceph: two backends, each on a pool of its own."""

import json

from nova_volops_plugin.cloud.real import ceph
from nova_volops_plugin.cloud.real import heartbeats
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi

# A backend's name, its pool and its volume types; the first is the default.
BACKENDS = {
    'ceph': ('volumes', {'ceph': False, 'multiattach': True}),
    'ceph2': ('volumes2', {'ceph2': False, 'multiattach2': True}),
}


# The rules of Cinder's policy that are asked for a call of Nova's.
_RULES = {'attachment_update': ('volume:attachment_update',),
          'reimage_volume': ('volume:reimage', 'volume:reimage_reserved')}


def _conf(cloud):
    return cloud.folder('cinder') / 'cinder.conf'


def _policy(cloud):
    return cloud.folder('cinder') / 'policy.yaml'


def refuse(cloud, call=None):
    """Forbid a kind of call to everybody; Cinder reads that by itself.

    :param call: the name of Nova's method for it; None to forbid nothing
    :returns: False where the rules for it are not known
    """
    rules = _RULES.get(call, ())
    layout.write_private(_policy(cloud), json.dumps(
        {rule: '!' for rule in rules}))
    return bool(rules)


class Database(units.Step):
    """Cinder's tables."""

    name = 'cinder-database'
    requires = ('databases', 'ceph-settings')

    def do(self):
        folder = self.layout.folder('cinder')
        environment = self.layout.environments.neighbours
        etc = environment / 'etc/cinder'
        helper = environment / 'bin/privsep-helper'
        sections = settings.common(
            self.layout, 'cinder', mariadb.url(self.layout, 'cinder'))
        sections['DEFAULT'].update({
            'my_ip': layout.ADDRESS,
            'host': 'cinder',
            'auth_strategy': 'keystone',
            'state_path': folder,
            'api_paste_config': etc / 'api-paste.ini',
            'resource_query_filters_file': etc / 'resource_filters.json',
            'rootwrap_config': etc / 'rootwrap.conf',
            'enabled_backends': ','.join(BACKENDS),
            'default_volume_type': 'ceph',
            'glance_api_servers': self.layout.url('glance'),
            'image_conversion_dir': self.layout.folder('cinder', 'conversion'),
            'osapi_volume_workers': 1,
            # A benchmark wants 16 at each of two servers.
            'quota_volumes': 50,
            'report_interval': heartbeats.SECONDS,
        })
        # An event to Nova is sent as a user who may send it.
        sections['nova'] = {
            **settings.login(self.layout, 'nova'), 'interface': 'public'}
        refuse(self.layout)
        sections['oslo_policy'] = {'policy_file': _policy(self.layout)}
        sections['coordination'] = {
            'backend_url':
                'file://%s' % self.layout.folder('cinder', 'coordination')}
        # Without it sudo is asked for, which sees no virtual environment.
        for section in ('cinder_sys_admin', 'privsep_osbrick'):
            sections[section] = {
                'helper_command':
                    '%s --config-file %s' % (helper, folder / 'cinder.conf')}
        for name, (pool, _types) in BACKENDS.items():
            sections[name] = {
                'volume_driver': 'cinder.volume.drivers.rbd.RBDDriver',
                'volume_backend_name': name,
                'rbd_pool': pool,
                'rbd_ceph_conf': ceph.conf(self.layout),
                'rbd_cluster_name': 'ceph',
                'rbd_flatten_volume_from_snapshot': 'false',
                'report_discard_supported': 'true',
            }
        layout.write_ini(folder / 'cinder.conf', sections)
        self.run(environment / 'bin/cinder-manage', '--config-file',
                 folder / 'cinder.conf', 'db', 'sync')


class Api(wsgi.Api):
    """The block storage API."""

    name = 'cinder-api'
    requires = ('cinder-database', 'memcached', 'rabbitmq')
    api = 'cinder'
    module = 'cinder.wsgi.api'

    @property
    def pyargv(self):
        return '--config-file %s' % _conf(self.layout)


class _Worker(units.Service):
    """What the other two share: they answer through the API."""

    poll_seconds = 1
    requires = ('cinder-database', 'rabbitmq')

    def command(self):
        return [self.layout.environments.neighbours / 'bin' / self.name,
                '--config-file', _conf(self.layout)]

    def environ(self):
        return {'CEPH_CONF': str(ceph.conf(self.layout))}


class Scheduler(_Worker):
    """Chooses the backend."""

    name = 'cinder-scheduler'

    def check(self):
        return heartbeats.check(self, 'cinder', 'cinder-scheduler', ['cinder'])


class Volume(_Worker):
    """Makes the volumes."""

    name = 'cinder-volume'
    requires = ('cinder-database', 'rabbitmq', 'ceph-pools')

    def check(self):
        return heartbeats.check(
            self, 'cinder', 'cinder-volume',
            ['cinder@' + name for name in BACKENDS])
