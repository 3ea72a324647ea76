# SPDX-License-Identifier: Apache-2.0

"""libvirt of one compute host, isolated from all others.

Each has namespaces for mounts and for the host's name. libvirt's folders in
/etc, /run, /var are bound to the cloud's, so that nothing outside is read or
written; the names differ because libvirt refuses to migrate a guest to a
host of its own name. The namespaces end with the last process in them.
"""

import pathlib
import re
import socket

import psutil

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud import termination

_FOLDERS = {
    'etc': '/etc/libvirt',
    'run': '/run/libvirt',
    'lib': '/var/lib/libvirt',
    'cache': '/var/cache/libvirt',
    'log': '/var/log/libvirt',
}
# Without systemd nothing has made the folder in /run.
_ENTER = 'hostname "$1"; shift; while [ "$1" != -- ]; do ' \
    'mkdir -p "$2"; mount --bind "$1" "$2"; shift 2; done; ' \
    'shift; exec "$@"'


def folder(cloud, host, *names):
    """Return a folder of a host's hypervisor."""
    return cloud.of_variant(host, 'libvirt', *names)


def uri(cloud, host):
    """Return the address that reaches a host's libvirt from anywhere.

    :param host: a host's name, or ``%s`` for Nova to fill in
    """
    return 'qemu+unix:///system?socket=%s/%s/libvirt/run/libvirt-sock' % (
        cloud.of_variant(), host)


def virsh(cloud, host, *words):
    """Return what a host's virsh prints.

    :raises NotReady: it fails
    """
    return units.ask(['virsh', '--connect', uri(cloud, host), '--quiet',
                      *words])


class Libvirtd(units.Service):
    """The hypervisor of a host."""

    stop_seconds = 10

    def __init__(self, cloud, host):
        super().__init__(cloud)
        self.host = host
        self.name = 'libvirtd-' + host

    def prepare(self):
        for name in _FOLDERS:
            folder(self.layout, self.host, name)
        etc = folder(self.layout, self.host, 'etc')
        number = self.layout.hosts.index(self.host)
        first = layout.MIGRATION_PORTS + layout.MIGRATION_PORTS_A_HOST * number
        # Of the loopback's addresses libvirt refuses only 127.0.0.1.
        address = '127.0.1.%d' % (number + 1)
        _write(etc / 'libvirtd.conf', {
            'auth_unix_ro': 'none',
            'auth_unix_rw': 'none',
            'unix_sock_rw_perms': '0700',
            'unix_sock_ro_perms': '0700',
            'host_uuid': layout.stored_uuid(etc / 'host_uuid'),
        })
        _write(etc / 'qemu.conf', {
            'user': 'root',
            'group': 'root',
            'security_driver': 'none',
            'dynamic_ownership': 0,
            'remember_owner': 0,
            # A guest that wrote through virtlogd would fall silent with it.
            'stdio_handler': 'file',
            'cgroup_controllers': [],
            'namespaces': [],
            'migration_address': address,
            'migration_host': address,
            'migration_port_min': first,
            'migration_port_max': first + layout.MIGRATION_PORTS_A_HOST - 1,
        })

    def command(self):
        binds = []
        for name, place in _FOLDERS.items():
            binds += [folder(self.layout, self.host, name), place]
        # The usual pid file is in /run itself, which the hosts share.
        return ['unshare', '--mount', '--uts', '--propagation', 'private',
                'sh', '-ec', _ENTER, 'sh', self.host, *binds, '--',
                'libvirtd', '--config', _FOLDERS['etc'] + '/libvirtd.conf',
                '--pid-file', _FOLDERS['run'] + '/libvirtd.pid']

    def check(self):
        return virsh(self.layout, self.host, 'hostname').strip()

    def down(self):
        try:
            for guest in virsh(
                    self.layout, self.host, 'list', '--name').split():
                virsh(self.layout, self.host, 'destroy', guest)
        except units.NotReady:
            # A libvirt that does not answer: the guests end below.
            pass
        super().down()
        termination.end(self._guests(), 5)
        for device in self.devices():
            self.run('ip', 'link', 'delete', device)

    def devices(self):
        """Return the names of its network devices, sorted.

        The taps of its guests on one base, on the other their bridge: see
        ``data/any_host_driver.py``.
        """
        found = {'volops-' + self.host}
        for path in folder(self.layout, self.host, 'etc').glob('qemu/*.xml'):
            found.update(re.findall(
                r"<target dev='(tap[0-9a-f-]+)'", path.read_text()))
        # /sys may show those of another network namespace.
        present = {name for _number, name in socket.if_nameindex()}
        return sorted(found & present)

    def _guests(self):
        """Return the processes that live in this host's namespaces."""
        bound = str(folder(self.layout, self.host, 'run'))
        found = []
        for process in psutil.process_iter():
            try:
                mounts = pathlib.Path(
                    '/proc/%d/mountinfo' % process.pid).read_text()
            except OSError:
                continue
            if any(line.split()[3:5] == [bound, _FOLDERS['run']]
                   for line in mounts.splitlines()):
                found.append(process)
        return found


def _write(path, settings):
    layout.write_private(path, ''.join(
        '%s = %s\n' % (name, '"%s"' % value if isinstance(value, str)
                       else value)
        for name, value in settings.items()))
