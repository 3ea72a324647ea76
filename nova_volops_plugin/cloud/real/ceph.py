# SPDX-License-Identifier: Apache-2.0

"""Ceph: one monitor, one manager and one OSD on a sparse file.

There are no keys: whoever reaches the ports of this machine may do
everything, as with any service here that listens on 127.0.0.1 as root.
"""

import json

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import units

# Cinder's two backends', and the guests' own disks.
POOLS = ('volumes', 'volumes2', 'vms')
OSD_BYTES = 20 * 1024 ** 3


def conf(cloud):
    """Return the path of ceph.conf."""
    return cloud.folder('ceph') / 'ceph.conf'


def client(cloud):
    """Return the beginning of the argv that asks the monitor."""
    return ['ceph', '--conf', conf(cloud), '--connect-timeout', '20']


def ask(cloud, *words):
    """Return what the monitor answers, decoded.

    :raises NotReady: it does not, or does not make sense
    """
    said = units.ask(
        [*client(cloud), *words, '--format', 'json'], timeout=30)
    try:
        return json.loads(said)
    except ValueError:
        raise units.NotReady('the monitor says %r' % said[:80]) from None


def watchers(cloud, volume):
    """Return how many clients have the image of a volume open.

    :param volume: the UUID of a volume on the first of Cinder's backends
    :raises NotReady: the cluster does not tell
    """
    said = units.ask(
        ['rbd', '--conf', conf(cloud), 'status', '--format', 'json',
         '%s/volume-%s' % (POOLS[0], volume)], timeout=30)
    return len(json.loads(said)['watchers'])


def _identity(cloud):
    """Return the cluster's fsid."""
    return layout.stored_uuid(cloud.folder('ceph') / 'fsid')


def _monitor():
    """Return the addresses of the monitor, by both protocols."""
    return '[v2:%s,v1:%s]' % (
        layout.address('ceph-mon'), layout.address('ceph-mon-v1'))


class Settings(units.Step):
    """ceph.conf, which the daemons and every client read."""

    name = 'ceph-settings'

    def do(self):
        folder = self.layout.folder('ceph')
        layout.write_ini(conf(self.layout), {'global': {
            'fsid': _identity(self.layout),
            'mon_host': _monitor(),
            'public_addr': layout.ADDRESS,
            'cluster_addr': layout.ADDRESS,
            'ms_bind_port_min': layout.CEPH_PORTS[0],
            'ms_bind_port_max': layout.CEPH_PORTS[1],
            'auth_cluster_required': 'none',
            'auth_service_required': 'none',
            'auth_client_required': 'none',
            'osd_pool_default_size': 1,
            'osd_pool_default_min_size': 1,
            'osd_pool_default_pg_num': 8,
            'osd_pool_default_pg_autoscale_mode': 'off',
            'osd_crush_chooseleaf_type': 0,
            'osd_objectstore': 'bluestore',
            'bluestore_block_create': 'true',
            'bluestore_block_size': OSD_BYTES,
            # The least that is accepted.
            'osd_memory_target': 939524096,
            'mon_allow_pool_size_one': 'true',
            'mon_allow_pool_delete': 'true',
            'mon_warn_on_pool_no_redundancy': 'false',
            'mon_warn_on_insecure_global_id_reclaim_allowed': 'false',
            'mon_data_avail_warn': 2,
            'mon_data_avail_crit': 1,
            # Features that librbd, not the kernel, understands.
            'rbd_default_features': 61,
            'run_dir': self.layout.folder('ceph', 'run'),
            'crash_dir': self.layout.folder('ceph', 'crash'),
            'admin_socket': folder / 'run/$name.$pid.asok',
            'log_to_stderr': 'true',
            'err_to_stderr': 'true',
            'log_file': '',
            'mon_cluster_log_file': '',
            'mon_data': folder / 'mon',
            'mgr_data': folder / 'mgr',
            'osd_data': folder / 'osd',
            'keyring': folder / 'keyring',
        }})


class _Daemon(units.Service):
    """What the daemons share."""

    requires = ('ceph-settings',)
    poll_seconds = 2
    kind = None
    id = '0'

    def command(self):
        return ['ceph-' + self.kind, '--foreground', '--conf',
                conf(self.layout), '--id', self.id]

    def made(self):
        """Return the path of the file that says the data is complete."""
        return self.layout.folder('ceph') / (self.kind + '.made')


class Monitor(_Daemon):
    """The monitor, which answers for the cluster."""

    name = 'ceph-mon'
    kind = 'mon'
    id = 'a'

    def prepare(self):
        if self.made().exists():
            return
        folder = self.layout.folder('ceph')
        self.run('rm', '-rf', folder / 'mon', folder / 'monmap',
                 folder / 'keyring')
        self.layout.folder('ceph', 'mon')
        self.run('monmaptool', '--create', '--fsid', _identity(self.layout),
                 '--set-min-mon-release', 'pacific',
                 '--addv', self.id, _monitor(), folder / 'monmap')
        self.run('ceph-authtool', '--create-keyring', folder / 'keyring',
                 '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
        self.run('ceph-authtool', folder / 'keyring', '--gen-key',
                 '-n', 'client.admin', '--cap', 'mon', 'allow *',
                 '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *',
                 '--cap', 'mds', 'allow *')
        self.run('ceph-mon', '--conf', conf(self.layout), '--mkfs',
                 '--id', self.id, '--monmap', folder / 'monmap',
                 '--keyring', folder / 'keyring')
        self.made().touch()

    def check(self):
        if not ask(self.layout, 'quorum_status').get('quorum'):
            raise units.NotReady('there is no quorum')
        return layout.address(self.name)


class Manager(_Daemon):
    """The manager, without which pools get no state."""

    name = 'ceph-mgr'
    requires = ('ceph-mon',)
    kind = 'mgr'
    id = 'a'

    def prepare(self):
        self.layout.folder('ceph', 'mgr')

    def check(self):
        stat = ask(self.layout, 'mgr', 'stat')
        if not stat.get('available'):
            raise units.NotReady('it is not available yet')
        return stat['active_name']


class Osd(_Daemon):
    """The store, whose file grows with what is written."""

    name = 'ceph-osd'
    requires = ('ceph-mon',)
    kind = 'osd'

    def prepare(self):
        if self.made().exists():
            return
        identity = layout.stored_uuid(
            self.layout.folder('ceph') / 'osd.uuid')
        self.run('rm', '-rf', self.layout.folder('ceph') / 'osd')
        self.layout.folder('ceph', 'osd')
        self.run(*client(self.layout), 'osd', 'new', identity, self.id)
        self.run('ceph-osd', '--conf', conf(self.layout), '--mkfs',
                 '--id', self.id, '--osd-uuid', identity, '--no-mon-config')
        self.made().touch()

    def check(self):
        stat = ask(self.layout, 'osd', 'stat')
        if not stat.get('osdmap', stat).get('num_up_osds'):
            raise units.NotReady('the monitor has not seen it yet')
        return 'osd.%s' % self.id


class Pools(units.Step):
    """The pools of the volumes and of the guests' disks."""

    name = 'ceph-pools'
    requires = ('ceph-mgr', 'ceph-osd')

    def do(self):
        self.run(*client(self.layout), 'osd', 'set-require-min-compat-client',
                 'mimic')
        for pool in POOLS:
            self.run(*client(self.layout), 'osd', 'pool', 'create', pool, '8')
            self.run('rbd', '--conf', conf(self.layout), 'pool', 'init', pool)
