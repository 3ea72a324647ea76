# SPDX-License-Identifier: Apache-2.0

import types

import fixtures

from nova_volops_plugin.cloud import client
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


class TestConnectAsService(stub.TestCase):

    def test_versions_are_found(self):
        """keystoneauth1 5.14, the last for Python 3.10, does not by itself"""
        class Auth:
            def get_api_major_version(self, session, **kwargs):
                return (3, 0), kwargs

            def get_endpoint_data(self, session, **kwargs):
                return 'data', kwargs

        found = types.SimpleNamespace(
            session=types.SimpleNamespace(auth=Auth()))
        self.useFixture(fixtures.MockPatchObject(
            client, 'connect', lambda environ: found))
        self.useFixture(fixtures.MonkeyPatch(
            'keystoneauth1.service_token.ServiceTokenAuthWrapper.'
            'get_api_major_version', lambda *args, **kwargs: None))
        self.useFixture(fixtures.MonkeyPatch(
            'keystoneauth1.service_token.ServiceTokenAuthWrapper.'
            'get_endpoint_data', lambda *args, **kwargs: None))
        auth = client.connect_as_service({}, {}).session.auth
        self.assertEqual(((3, 0), {'service_type': 'x'}),
                         auth.get_api_major_version(None, service_type='x'))
        self.assertEqual(('data', {'discover_versions': False}),
                         auth.get_endpoint_data(
                             None, discover_versions=False))
