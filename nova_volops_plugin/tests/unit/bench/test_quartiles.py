# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.lab.bench import quartiles


class OfTest(testtools.TestCase):

    def test_quarters(self):
        self.assertEqual(quartiles.Quartiles(3, 2, 4, 5),
                         quartiles.of([5, 1, 4, 2, 3]))

    def test_one(self):
        self.assertEqual(quartiles.Quartiles(7, 7, 7, 1), quartiles.of([7]))

    def test_none(self):
        self.assertRaises(ValueError, quartiles.of, [])

    def test_order(self):
        for numbers in ([2, 1], [1, 1, 1], [9, 1, 1, 1], [1, 9, 9, 9, 4]):
            found = quartiles.of(numbers)
            self.assertTrue(
                min(numbers) <= found.low <= found.median <= found.high <=
                max(numbers))
            self.assertEqual(len(numbers), found.count)


class RatioTest(testtools.TestCase):

    def test_medians(self):
        found = quartiles.ratio([2, 4, 6], [1, 2, 3])
        self.assertEqual(2, found.median)
        self.assertEqual((3 / 2.5, 5 / 1.5), (found.low, found.high))

    def test_alike(self):
        found = quartiles.ratio([1, 2, 3], [1, 2, 3])
        self.assertTrue(found.low < 1 < found.high)

    def test_nothing_to_divide_by(self):
        self.assertIsNone(quartiles.ratio([1], [0]))
