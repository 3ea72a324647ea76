# SPDX-License-Identifier: Apache-2.0

"""The folders, addresses and passwords of a real cloud."""

import os
import re
import secrets
import socket
import uuid

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions

ADDRESS = '127.0.0.1'

# Below the range that Linux takes for outgoing connections.
PORTS = {
    'keystone': 21001,
    'placement': 21002,
    'glance': 21003,
    'cinder': 21004,
    'neutron': 21005,
    'nova': 21006,
    'mariadb': 21010,
    'rabbitmq': 21011,
    'rabbitmq-peers': 21012,
    'epmd': 21013,
    'memcached': 21014,
    'ceph-mon': 21020,
    'ceph-mon-v1': 21021,
}
CEPH_PORTS = (21030, 21069)
MIGRATION_PORTS = 21100
MIGRATION_PORTS_A_HOST = 20

# A socket's path has at most 107 bytes; the longest name below the state
# folder has some 60.
_MAX_PATH = 48


class Layout:
    """One real cloud's folder and what is written in it.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param patched: False for the base as released
    :param hosts: the number of compute hosts
    :param released_hosts: how many of them run the base as released
    :param environments: an :class:`environments.Environments`
    :raises BadInput: sockets would not fit below the folder
    """

    def __init__(self, state, base, patched, hosts, environments=None,
                 released_hosts=0):
        root = state.cloud('real')
        if len(os.fsencode(root)) > _MAX_PATH:
            raise exceptions.BadInput(
                'the folder %s is too long for the sockets below it (at most '
                '%d bytes); choose another one with --state-dir' %
                (root, _MAX_PATH))
        self.state = state
        self.root = root
        self.base = base
        self.patched = patched
        self.hosts = ['host%d' % number for number in range(1, hosts + 1)]
        self.released_hosts = self.hosts[hosts - released_hosts:]
        self.environments = environments

    @property
    def variant(self):
        """The name of what belongs to one Nova: databases and guests."""
        return re.sub(r'\W', '_', 'nova_%s%s' % (
            self.base, '' if self.patched else '_unpatched'))

    def folder(self, *names):
        """Return a folder below the root, made for the owner only."""
        path = self.root.joinpath(*names)
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path

    def of_variant(self, *names):
        """Return a folder of this Nova; another variant has another one."""
        return self.folder(self.variant, *names)

    def log(self, name):
        """Return the path of a service's log."""
        return self.folder('log') / (name + '.log')

    def password(self, name):
        """Return a password, made on first use.

        :param name: whose it is, for example ``nova``
        """
        path = self.folder('passwords') / name
        try:
            return path.read_text()
        except FileNotFoundError:
            fresh = secrets.token_hex(16)
            write_private(path, fresh)
            return fresh

    def url(self, service, path=''):
        """Return the address of an API."""
        return 'http://%s%s' % (address(service), path)


def address(name):
    """Return the host and the port of one of PORTS."""
    return '%s:%d' % (ADDRESS, PORTS[name])


def taken_ports():
    """Return the sorted ports of the cloud that somebody listens on."""
    taken = []
    for port in sorted(PORTS.values()):
        with socket.socket() as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind((ADDRESS, port))
            except OSError:
                taken.append(port)
    return taken


def stored_uuid(path):
    """Return the UUID that a file holds, made on first use."""
    if not path.exists():
        write_private(path, str(uuid.uuid4()))
    return path.read_text()


def write_private(path, text):
    """Write a file that only its owner can read, whole or not at all."""
    files.write_whole(path, text, 0o600)


def write_ini(path, sections):
    """Write a configuration file of oslo.config's or a similar kind.

    :param path: a :class:`pathlib.Path`
    :param sections: a dict of each section's name and its dict of options;
        a list becomes one line an entry
    """
    lines = []
    for name, options in sections.items():
        lines.append('[%s]' % name)
        for option, value in options.items():
            for one in value if isinstance(value, list) else [value]:
                lines.append('%s = %s' % (option, one))
        lines.append('')
    write_private(path, '\n'.join(lines))
