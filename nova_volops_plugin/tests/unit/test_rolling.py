# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.rolling import chain


class ChainTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.bases = sorted(
            nova_base.load_all(), key=lambda base: base.release)

    def test_plan(self):
        """A compute is what the controllers were a step before."""
        links = chain.plan(self.bases)
        self.assertEqual(
            [(links[0].base, links[0].patched),
             *((link.base, link.patched) for link in links[:-1])],
            [(link.compute, link.compute_patched) for link in links])
        self.assertEqual(
            [(self.bases[0], False), *((base, True) for base in self.bases)],
            [(link.base, link.patched) for link in links])

    def test_parts(self):
        first, second = chain.plan(self.bases[:1])
        self.assertNotIn('upgraded', first.parts)
        self.assertEqual((self.bases[0], True), second.parts['upgraded'])

    def test_order(self):
        error = self.assertRaises(
            exceptions.BadInput, chain.plan, self.bases[1::-1])
        self.assertIn('is not older than %s' % self.bases[0], str(error))
