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
import testtools

from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.series import base


class TestMicroversions(testtools.TestCase):

    def test_before(self):
        self.assertEqual('2.104', microversions.before('2.105'))
        self.assertEqual('2.99', microversions.before('2.100'))

    def test_of_every_base(self):
        for name in base.names():
            for feature in ('attach_mode', 'multi_create', 'shelved',
                            'rebuild'):
                self.assertRegex(
                    microversions.of(name, feature), r'^2\.\d+$')
