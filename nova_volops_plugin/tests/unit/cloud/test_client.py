# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
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
