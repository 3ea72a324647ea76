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
from nova_volops_plugin.cloud import profiles
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.cloud import stub


class TestProfiles(stub.TestCase):

    def test_known(self):
        self.assertEqual('EmbeddedCloud', profiles.get('embedded').__name__)

    def test_unknown(self):
        error = self.assertRaises(
            exceptions.BadInput, profiles.get, 'virtual')
        self.assertIn("'virtual'", str(error))
        self.assertIn('embedded', str(error))

    def test_default_is_one_of_them(self):
        self.assertIn(profiles.DEFAULT, profiles.PROFILES)
