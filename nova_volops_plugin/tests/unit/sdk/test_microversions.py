# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.bases import base
from nova_volops_plugin.sdk import microversions


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
