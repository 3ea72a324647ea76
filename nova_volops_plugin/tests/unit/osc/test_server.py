# SPDX-License-Identifier: Apache-2.0

import pathlib
import types

import fixtures
from osc_lib import exceptions

from nova_volops_plugin.osc import server
from nova_volops_plugin.sdk import operations
from nova_volops_plugin.tests.unit.sdk import stub

IMAGE = '9d4a5c6e-3c56-4f2a-8d0f-0b6b4b1f3d77'
FLAVOR = '1a2b'


class CreateMultipleServersTest(stub.TestCase):

    def setUp(self):
        super().setUp()
        connection = self.connect((2, 105), knows_from=(2, 105))
        for kind, found in (('images', IMAGE), ('flavors', FLAVOR),
                            ('volumes', stub.VOLUME)):
            self.mock.get(
                '%s/%s/%s' % (stub.URL, kind, found),
                json=dict({kind[:-1]: {'id': found}}, id=found))
        self.mock.get(stub.URL + '/v2/images/' + IMAGE, json={'id': IMAGE})
        self.mock.post(stub.URL + '/servers', json={'reservation_id': 'r-1'})
        self.mock.get(stub.URL + '/servers/detail', json={'servers': [
            {'id': stub.SERVER, 'name': 'name', 'status': 'BUILD'}]})
        # Until openstackclient 10.0 it is a client of cinderclient.
        connection.block_storage.volumes = types.SimpleNamespace(
            get=connection.block_storage.get_volume)
        self.manager = types.SimpleNamespace(
            compute=connection.compute, image=connection.image,
            volume=connection.block_storage, sdk_connection=connection,
            volume_ops=operations.VolumeOperations(connection),
            is_network_endpoint_enabled=lambda: False,
            is_volume_endpoint_enabled=lambda *args: True)

    def create(self, *words):
        command = server.CreateMultipleServers(
            types.SimpleNamespace(client_manager=self.manager), None)
        parser = command.get_parser('create')
        return command.take_action(
            parser.parse_args(['--flavor', FLAVOR, 'name', *words]))

    def asked(self, *words):
        """Create servers; return the body of the request."""
        columns, rows = self.create('--image', IMAGE, *words)
        self.assertEqual([(stub.SERVER, 'name', 'BUILD')], rows)
        sent, = (each for each in self.sent() if each.method == 'POST' and
                 each.path.endswith('/servers'))
        self.assertEqual('compute 2.105', sent.version)
        return sent.body

    def test_options_of_server_create(self):
        data = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'data'
        data.write_bytes(b'#!/bin/sh\n')
        body = self.asked(
            '--max', '2', '--nic', 'none', '--key-name', 'key',
            '--user-data', str(data), '--availability-zone', 'zone',
            '--host', 'host', '--hypervisor-hostname', 'node', '--hint', 'a=1',
            '--property', 'p=q', '--tag', 't', '--description', 'words',
            '--use-config-drive', '--password', 'secret', '--swap', '64')
        self.assertEqual({'a': '1'}, body['os:scheduler_hints'])
        devices = body['server'].pop('block_device_mapping_v2')
        self.assertEqual([0, -1], [each['boot_index'] for each in devices])
        self.assertEqual({
            'name': 'name', 'imageRef': IMAGE, 'flavorRef': FLAVOR,
            'min_count': 1, 'max_count': 2, 'return_reservation_id': True,
            'networks': 'none', 'key_name': 'key',
            'user_data': 'IyEvYmluL3NoCg==', 'availability_zone': 'zone',
            'host': 'host', 'hypervisor_hostname': 'node',
            'metadata': {'p': 'q'}, 'tags': ['t'], 'description': 'words',
            'config_drive': True, 'adminPass': 'secret',
        }, body['server'])

    def test_mode_of_the_root_disk(self):
        self.create('--volume', stub.VOLUME, '--read-only')
        body, = (each.body['server'] for each in self.sent()
                 if each.path.endswith('/servers'))
        self.assertNotIn('imageRef', body)
        self.assertEqual([('ro', 0)], [
            (device['attach_mode'], device['boot_index'])
            for device in body['block_device_mapping_v2']])

    def test_older_openstackclient(self):
        self.manager.compute = types.SimpleNamespace()
        error = self.assertRaises(
            exceptions.CommandError, self.create, '--image', IMAGE)
        self.assertIn('needs python-openstackclient 7.0.0', str(error))
