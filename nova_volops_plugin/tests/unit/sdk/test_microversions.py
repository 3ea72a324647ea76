# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.sdk import microversions


class TestMicroversions(testtools.TestCase):

    def test_before(self):
        self.assertEqual('2.104', microversions.before('2.105'))
        self.assertEqual('2.99', microversions.before('2.100'))
