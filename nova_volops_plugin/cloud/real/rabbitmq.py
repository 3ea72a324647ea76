# SPDX-License-Identifier: Apache-2.0

"""RabbitMQ and the Erlang port mapper."""

import os

import psutil

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import units

USER = 'openstack'


def url(cloud):
    """Return oslo.messaging's transport URL."""
    return 'rabbit://%s:%s@%s/' % (
        USER, cloud.password('rabbitmq'), layout.address('rabbitmq'))


class PortMapper(units.Service):
    """epmd; RabbitMQ would start one itself, which listens everywhere."""

    name = 'epmd'
    stop_seconds = 2

    def command(self):
        return ['epmd', '-address', layout.ADDRESS,
                '-port', str(layout.PORTS[self.name])]

    def check(self):
        units.ask(['epmd', '-port', str(layout.PORTS[self.name]), '-names'])
        return layout.address(self.name)


class RabbitMQ(units.Service):
    """The broker of one node."""

    name = 'rabbitmq'
    requires = ('epmd',)

    def prepare(self):
        folder = self.layout.folder('rabbitmq')
        layout.write_private(folder / 'rabbitmq.conf', '\n'.join([
            'listeners.tcp.default = ' + layout.address(self.name),
            'default_user = ' + USER,
            'default_pass = ' + self.layout.password('rabbitmq'),
            'vm_memory_high_watermark.absolute = 512MiB',
            # It stops accepting messages below this, not the filling up.
            'disk_free_limit.absolute = 64MB',
            'log.console = true',
            'log.file = false',
            '']))
        # Without a cookie of its own Erlang writes one into the home.
        cookie = self.layout.folder('home') / '.erlang.cookie'
        if not cookie.exists():
            layout.write_private(cookie, self.layout.password('erlang'))
        os.chmod(cookie, 0o400)

    def command(self):
        return ['/usr/lib/rabbitmq/bin/rabbitmq-server']

    def environ(self):
        folder = self.layout.folder('rabbitmq')
        return {
            'RABBITMQ_NODENAME': 'volops@localhost',
            'RABBITMQ_NODE_PORT': str(layout.PORTS[self.name]),
            'RABBITMQ_DIST_PORT': str(layout.PORTS['rabbitmq-peers']),
            'RABBITMQ_CONFIG_FILE': str(folder / 'rabbitmq.conf'),
            'RABBITMQ_CONF_ENV_FILE': '/dev/null',
            'RABBITMQ_ENABLED_PLUGINS_FILE': '/dev/null',
            'RABBITMQ_MNESIA_BASE': str(
                self.layout.folder('rabbitmq', 'data')),
            'RABBITMQ_LOG_BASE': str(self.layout.folder('rabbitmq', 'log')),
            'RABBITMQ_PID_FILE': str(folder / 'pid'),
            # Schedulers that spin keep a core busy for nothing.
            'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS':
                '+sbwt none +sbwtdcpu none +sbwtdio none +S 2:2 '
                '-kernel inet_dist_use_interface {127,0,0,1}',
            'ERL_EPMD_PORT': str(layout.PORTS['epmd']),
            'ERL_EPMD_ADDRESS': layout.ADDRESS,
        }

    def check(self):
        # As a client of AMQP 0-9-1 does.
        return units.greet(layout.PORTS[self.name], b'AMQP\x00\x00\x09\x01',
                           b'\x01\x00\x00')


def connection(cloud, name):
    """Look for a connection of a service to the broker.

    :param name: the service's name
    :returns: the broker's address
    :raises NotReady: there is none
    """
    address = (layout.ADDRESS, layout.PORTS['rabbitmq'])
    for process in processes.every(cloud, name):
        try:
            found = process.net_connections('tcp')
        except psutil.NoSuchProcess:
            continue
        if any(each.raddr == address and
               each.status == psutil.CONN_ESTABLISHED for each in found):
            return '%s:%d' % address
    raise units.NotReady('%s is not connected to the broker' % name)
