# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import features
from tempest_plugin import config


class FeaturesTest(testtools.TestCase):

    def test_topics(self):
        for base in nova_base.load_all():
            topics = list(combination.Series(base).topics)
            self.assertEqual((), features.of(base, ['fixes']))
            self.assertEqual(('dangling_cleanup',),
                             features.of(base, ['dangling']))
            self.assertIn('attach_mode', features.of(base, ['attach-mode']))
            self.assertNotIn('shelved_swap',
                             features.of(base, ['attach-mode']))
            self.assertEqual(features.FEATURES, features.of(base))
            self.assertEqual(features.FEATURES, features.of(base, topics))

    def test_unknown_topic(self):
        self.assertRaises(exceptions.BadInput, features.of,
                          nova_base.default(), ['x'])

    def test_tempest_has_a_flag_for_each(self):
        self.assertEqual(set(features.FEATURES), {
            opt.name for opt in config.volume_ops_opts
            if opt.default is False})
