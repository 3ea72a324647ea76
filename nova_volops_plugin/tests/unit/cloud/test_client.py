# SPDX-License-Identifier: Apache-2.0

import types

import fixtures

from nova_volops_plugin.cloud import client
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.cloud import stub


class TestConnect(stub.TestCase):

    def test_only_what_is_told(self):
        # What the shell has of another cloud is not mixed in.
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_USERNAME', 'somebody'))
        self.useFixture(fixtures.EnvironmentVariable(
            'OS_CLOUD', 'elsewhere'))
        auth = client.connect({
            'OS_AUTH_URL': 'http://127.0.0.1:1/identity/v3',
            'OS_PASSWORD': 'secret', 'OS_PROJECT_NAME': 'demo',
            'OS_REGION_NAME': 'RegionOne'}).config
        self.assertEqual({
            'auth_url': 'http://127.0.0.1:1/identity/v3',
            'password': 'secret', 'project_name': 'demo'},
            {name: value for name, value in auth.config['auth'].items()
             if value})
        self.assertEqual('RegionOne', auth.region_name)


class TestServer(stub.TestCase):

    def setUp(self):
        super().setUp()
        servers = [types.SimpleNamespace(id=str(number), name=name)
                   for number, name in enumerate(('one', 'two', 'two'))]
        compute = types.SimpleNamespace(
            servers=lambda details, all_projects: servers)
        self.useFixture(fixtures.MockPatchObject(
            client, 'connect',
            lambda environ: types.SimpleNamespace(compute=compute)))

    def test_name(self):
        self.assertEqual('0', client.server({}, 'one'))

    def test_uuid(self):
        uuid = 'a26887c6-c47b-4654-abb5-dfadf7d3f803'
        self.assertEqual(uuid, client.server({}, uuid))

    def test_ambiguous(self):
        error = self.assertRaises(
            exceptions.BadInput, client.server, {}, 'two')
        self.assertIn("2 servers are named 'two'", str(error))
        self.assertIn('1, 2', str(error))

    def test_unknown(self):
        error = self.assertRaises(
            exceptions.BadInput, client.server, {}, 'tw')
        self.assertIn("no server 'tw'", str(error))
