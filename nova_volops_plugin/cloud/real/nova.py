# SPDX-License-Identifier: Apache-2.0

"""Nova of a base: its API, conductor, scheduler and compute hosts."""

import json
import os
import shlex
import subprocess
import uuid

from nova_volops_plugin.cloud.real import ceph
from nova_volops_plugin.cloud.real import heartbeats
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import libvirt
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import rabbitmq
from nova_volops_plugin.cloud.real import settings
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud.real import wsgi
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import nova as series_nova

# Nobody waits an hour here for a request to be given up.
SETTLED_SECONDS = 20


def _conf(cloud):
    return cloud.of_variant('etc') / 'nova.conf'


def _compute_conf(cloud):
    return cloud.of_variant('etc') / 'nova-compute.conf'


def _host_conf(cloud, host):
    return cloud.of_variant('etc') / (host + '.conf')


def _command(cloud, module, *words):
    """Return the argv of one of Nova's commands, run from the tree."""
    return [cloud.environments.nova / 'bin/python', '-c',
            series_nova.script(module), *words]


def _manage(cloud, *words):
    """Return the argv of nova-manage."""
    return _command(cloud, 'manage', '--config-file', _conf(cloud), *words)


def _environ(cloud, host=None):
    made = cloud.environments
    tree = made.released_tree if host in cloud.released_hosts else made.tree
    return {'PYTHONPATH': str(tree),
            'CEPH_CONF': str(ceph.conf(cloud))}


def manage(cloud, *words):
    """Run nova-manage.

    :returns: its exit code and what it printed to stdout, (int, str)
    """
    with open(cloud.log('nova-manage'), 'a') as log:
        ran = subprocess.run(
            [os.fspath(word) for word in _manage(cloud, *words)],
            env=dict(os.environ, **_environ(cloud)),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
            text=True)
    return ran.returncode, ran.stdout


def forget_device(cloud, server, volume):
    """Delete a block device in Nova's database, as Nova itself does."""
    units.ask(mariadb.MariaDB(cloud).client(
        '--database', mariadb.of_nova(cloud)['cell1'], '--execute',
        "UPDATE block_device_mapping SET deleted = id, deleted_at = NOW() "
        "WHERE deleted = 0 AND instance_uuid = '%s' AND volume_id = '%s'" %
        (uuid.UUID(server), uuid.UUID(volume))))


def instances(cloud):
    """Return the folder of the guests' disks and consoles.

    The hosts share it, as with a shared file system.
    """
    return cloud.of_variant('instances')


def _deferred(cloud):
    return cloud.of_variant('etc') / 'deletes-are-deferred'


def defer_deletes(cloud, wanted):
    """Have nova-api soft-delete servers from its next start on.

    :param cloud: a :class:`nova_volops_plugin.cloud.real.layout.Layout`
    :param wanted: whether it is to do so
    """
    if wanted:
        _deferred(cloud).touch()
    else:
        _deferred(cloud).unlink(missing_ok=True)


class Settings(units.Unit):
    """The configuration files, but for the compute hosts' own ones."""

    name = 'nova-settings'

    def up(self, cancelled):
        cloud = self.layout
        databases = mariadb.of_nova(cloud)
        sections = settings.common(
            cloud, 'nova', mariadb.url(cloud, databases['cell1']))
        sections['api_database'] = {
            'connection': mariadb.url(cloud, databases['api']),
            'max_pool_size': 5,
        }
        sections['DEFAULT'].update({
            'my_ip': layout.ADDRESS,
            'host': 'controller',
            'state_path': cloud.of_variant('state'),
            'report_interval': heartbeats.SECONDS,
            'service_down_time': 6 * heartbeats.SECONDS,
            'graceful_shutdown_timeout': 5,
            'osapi_compute_listen': layout.ADDRESS,
            'osapi_compute_listen_port': layout.PORTS['nova'],
            'osapi_compute_workers': 1,
            # A shelved server stays on its host until it is told to leave.
            'shelved_offload_time': -1,
            'allow_resize_to_same_host': 'true',
        })
        if _deferred(cloud).exists():
            sections['DEFAULT']['reclaim_instance_interval'] = 3600
        sections['wsgi'] = {
            'api_paste_config':
                cloud.environments.tree / 'etc/nova/api-paste.ini'}
        sections['api'] = {'auth_strategy': 'keystone'}
        sections['compute'] = {
            'dangling_attachment_age': SETTLED_SECONDS,
            'dangling_attachment_interval': SETTLED_SECONDS // 2,
        }
        sections['conductor'] = {'workers': 1}
        sections['scheduler'] = {'workers': 1}
        sections['upgrade_levels'] = {'compute': 'auto'}
        sections['oslo_concurrency'] = {
            'lock_path': cloud.of_variant('lock')}
        for section in ('cinder', 'placement', 'neutron', 'glance'):
            sections[section] = settings.login(cloud, 'nova')
        sections['cinder'].update({
            'os_region_name': settings.REGION,
            # The only name of its type that all bases accept.
            'catalog_info': 'volumev3::publicURL',
        })
        for section in ('placement', 'neutron', 'glance'):
            sections[section]['valid_interfaces'] = 'public'
        # Tempest offloads what stays SHELVED as the server's owner.
        policy = cloud.of_variant('etc') / 'policy.yaml'
        layout.write_private(policy, json.dumps({
            'os_compute_api:os-shelve:shelve_offload':
                'role:admin or project_id:%(project_id)s'}))
        sections['oslo_policy'] = {'policy_file': policy}
        layout.write_ini(_conf(cloud), sections)
        # A compute host has no database: it asks the conductor.
        for section in ('database', 'api_database'):
            del sections[section]
        layout.write_ini(_compute_conf(cloud), sections)
        paste = cloud.environments.tree / 'etc/nova/api-paste.ini'
        layout.write_private(
            cloud.of_variant('etc') / 'api-paste.ini', paste.read_text())


class Database(units.Step):
    """Nova's tables and cells."""

    name = 'nova-database'
    requires = ('databases', 'nova-settings')
    of_variant = True

    def key(self):
        return self.layout.environments.tree_id

    def do(self):
        self._manage('api_db', 'sync')
        # Its address is the cell's with "_cell0"; an argument is for all to
        # see, and there is a password in it.
        self._manage('cell_v2', 'map_cell0')
        self._manage('db', 'sync')
        try:
            self._manage('cell_v2', 'create_cell', '--name', 'cell1')
        except exceptions.VolopsError:
            # It is there, of an earlier attempt or for an earlier tree.
            self._manage('cell_v2', 'list_cells')

    def _manage(self, *words):
        self.run(*_manage(self.layout, *words), environ=_environ(self.layout))


class Api(wsgi.Api):
    """The compute API as a WSGI module."""

    name = 'nova-api'
    requires = ('nova-database', 'memcached', 'rabbitmq')
    api = 'nova'
    module = 'nova.wsgi.osapi_compute'

    @property
    def virtual_environment(self):
        return self.layout.environments.nova

    def environ(self):
        return {'OS_NOVA_CONFIG_DIR': str(self.layout.of_variant('etc')),
                **_environ(self.layout)}


class GreenApi(Api):
    """The compute API as a WSGI module that eventlet patches.

    Its threads are green, so that they do not go with those of uWSGI.
    """

    threads = 1
    processes = 4


class OwnServerApi(Api):
    """The compute API of releases that have a server for it."""

    def prepare(self):
        pass

    def command(self):
        return _command(self.layout, 'api_os_compute', '--config-file',
                        _conf(self.layout))


def api_of(base):
    """Return the class of a base's API.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    """
    return {'module': Api, 'green': GreenApi, 'server': OwnServerApi}[
        base.compute_api]


class _Worker(units.Service):
    """What the others share: they report to the database."""

    poll_seconds = 1
    requires = ('nova-database', 'rabbitmq')
    module = None

    def command(self):
        return _command(self.layout, self.module, '--config-file',
                        _conf(self.layout))

    def environ(self):
        return _environ(self.layout)

    def check(self):
        return heartbeats.check(
            self, mariadb.of_nova(self.layout)['cell1'],
            'nova-' + self.module, [self.host])


class Conductor(_Worker):
    """Writes to the database for the compute hosts."""

    name = 'nova-conductor'
    module = 'conductor'
    host = 'controller'

    def look(self):
        # It listens five seconds before it first reports of itself, and the
        # compute hosts need no more.
        return rabbitmq.connection(self.layout, self.name)


class Scheduler(_Worker):
    """Chooses a host."""

    name = 'nova-scheduler'
    module = 'scheduler'
    host = 'controller'


class Compute(_Worker):
    """A compute host.

    :param host: its name, one of ``layout.hosts``
    """

    module = 'compute'

    def __init__(self, cloud, host):
        super().__init__(cloud)
        self.host = host
        self.name = 'nova-compute-' + host
        self.requires = ('nova-database', 'rabbitmq', 'libvirtd-' + host,
                         'ceph-pools', 'identities', 'placement',
                         'nova-conductor')
        if host not in cloud.released_hosts:
            # Nova lets none in that is older than all that there are.
            self.requires += tuple(
                'nova-compute-' + each for each in cloud.released_hosts)

    def check(self):
        reported = super().check()
        # It reports before Placement has its resources.
        database = mariadb.of_nova(self.layout)['placement']
        if not units.ask(mariadb.MariaDB(self.layout).client(
                '--skip-column-names', '--execute',
                "SELECT name FROM %(db)s.resource_providers AS p "
                "JOIN %(db)s.inventories AS i ON i.resource_provider_id = "
                "p.id WHERE name = '%(host)s' LIMIT 1" % {
                    'db': database, 'host': self.host})):
            raise units.NotReady(
                'Placement has no resources of %s yet' % self.host)
        return reported

    def prepare(self):
        cloud = self.layout
        state = cloud.of_variant(self.host, 'state')
        helper = shlex.join([
            str(cloud.environments.nova / 'bin/privsep-helper'),
            '--config-file', str(_compute_conf(cloud)),
            '--config-file', str(_host_conf(cloud, self.host))])
        sections = {
            'DEFAULT': {
                'host': self.host,
                'compute_driver': 'libvirt.LibvirtDriver',
                'state_path': state,
                'instances_path': instances(cloud),
                # Guests end with the cloud and come back with it.
                'resume_guests_state_on_host_boot': 'true',
                'reserved_host_memory_mb': 0,
                # No agent wires ports, so nothing tells when one is.
                'vif_plugging_is_fatal': 'false',
                'vif_plugging_timeout': 0,
                'instance_usage_audit': 'false',
            },
            'compute': {
                'live_migration_wait_for_vif_plug': 'false',
            },
            'oslo_concurrency': {
                'lock_path': cloud.of_variant(self.host, 'lock')},
            'vnc': {'enabled': 'false'},
            'libvirt': {
                # /dev/kvm of a nested machine promises what it cannot hold.
                'virt_type': 'qemu',
                'connection_uri': libvirt.uri(cloud, self.host),
                'live_migration_uri': libvirt.uri(cloud, '%s'),
                'live_migration_permit_post_copy': 'false',
                # What is empty of a disk is not copied.
                'snapshot_image_format': 'qcow2',
            },
        }
        if cloud.environments.nova_knows_ceph:
            # libvirt takes only a network file system or Ceph for storage
            # that two hosts share.
            sections['libvirt'].update({
                'images_type': 'rbd',
                'images_rbd_pool': 'vms',
                'images_rbd_ceph_conf': ceph.conf(cloud),
            })
        for section in ('nova_sys_admin', 'privsep_osbrick',
                        'vif_plug_ovs_privileged',
                        'vif_plug_linux_bridge_privileged'):
            sections[section] = {'helper_command': helper}
        layout.write_ini(_host_conf(cloud, self.host), sections)

    def command(self):
        return _command(
            self.layout, self.module,
            '--config-file', _compute_conf(self.layout),
            '--config-file', _host_conf(self.layout, self.host))

    def environ(self):
        return _environ(self.layout, self.host)


class Hosts(units.Step):
    """Puts the compute hosts into the cell."""

    of_variant = True

    def __init__(self, cloud):
        super().__init__(cloud)
        self.name = 'nova-hosts-%d' % len(cloud.hosts)
        self.requires = tuple('nova-compute-' + host for host in cloud.hosts)

    def do(self):
        self.run(*_manage(self.layout, 'cell_v2', 'discover_hosts'),
                 environ=_environ(self.layout))
