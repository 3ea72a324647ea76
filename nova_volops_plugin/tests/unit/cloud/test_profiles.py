# SPDX-License-Identifier: Apache-2.0

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
