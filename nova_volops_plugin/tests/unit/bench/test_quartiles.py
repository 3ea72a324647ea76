# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.lab.bench import quartiles


class QuartilesTest(testtools.TestCase):

    def test_of(self):
        for numbers, *wanted in (
                ([5, 1, 4, 2, 3], 3, 2, 4), ([7], 7, 7, 7)):
            self.assertEqual(
                quartiles.Quartiles(*wanted), quartiles.of(numbers))
        self.assertRaises(ValueError, quartiles.of, [])

    def test_ratio(self):
        found = quartiles.ratio([2, 4, 6], [1, 2, 3])
        self.assertEqual(
            quartiles.Quartiles(2, 3 / 2.5, 5 / 1.5), found)
        self.assertIsNone(quartiles.ratio([1], [0]))
