# SPDX-License-Identifier: Apache-2.0

"""Who is connected to the broker."""

import socket
import sys
import threading

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import nova
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import rabbitmq
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud import termination
from nova_volops_plugin.tests.unit.cloud.real import fake

# Its child connects, as a worker of a service may.
CLIENT = '''import os, socket, time
if not os.fork():
    connection = socket.create_connection((%r, %d))
time.sleep(600)
'''


class ConnectionTest(fake.TestCase):

    def setUp(self):
        super().setUp()
        self.cloud = self.layout()
        self.listener = self.listen('rabbitmq')

    def _start(self, name, code):
        processes.start(self.cloud, name, [sys.executable, '-c', code], {})
        self.addCleanup(
            lambda: termination.end(processes.every(self.cloud, name), 5))

    def test_connected(self):
        conductor = nova.Conductor(self.cloud)
        self.assertRaises(units.NotReady, conductor.look)
        self._start(conductor.name, CLIENT % self.listener.getsockname())
        conductor.wait(threading.Event())
        self.assertEqual(layout.address('rabbitmq'), conductor.look())
        self.assertRaises(
            units.NotReady, rabbitmq.connection, self.cloud, 'nova-scheduler')

    def test_connected_to_something_else(self):
        other = socket.create_server((layout.ADDRESS, 0))
        self.addCleanup(other.close)
        self._start('nova-conductor', CLIENT % other.getsockname())
        other.accept()[0].close()
        error = self.assertRaises(
            units.NotReady, rabbitmq.connection, self.cloud, 'nova-conductor')
        self.assertIn('nova-conductor', str(error))
