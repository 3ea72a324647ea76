# SPDX-License-Identifier: Apache-2.0

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
