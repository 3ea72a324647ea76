# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.bench import spread


class OfTest(testtools.TestCase):

    def test_quarters(self):
        self.assertEqual(spread.Spread(3, 2, 4, 5),
                         spread.of([5, 1, 4, 2, 3]))

    def test_one(self):
        self.assertEqual(spread.Spread(7, 7, 7, 1), spread.of([7]))

    def test_none(self):
        self.assertRaises(ValueError, spread.of, [])

    def test_order(self):
        for numbers in ([2, 1], [1, 1, 1], [9, 1, 1, 1], [1, 9, 9, 9, 4]):
            found = spread.of(numbers)
            self.assertTrue(
                min(numbers) <= found.low <= found.median <= found.high <=
                max(numbers))
            self.assertEqual(len(numbers), found.count)


class RatioTest(testtools.TestCase):

    def test_medians(self):
        found = spread.ratio([2, 4, 6], [1, 2, 3])
        self.assertEqual(2, found.median)
        self.assertEqual((3 / 2.5, 5 / 1.5), (found.low, found.high))

    def test_alike(self):
        found = spread.ratio([1, 2, 3], [1, 2, 3])
        self.assertTrue(found.low < 1 < found.high)

    def test_nothing_to_divide_by(self):
        self.assertIsNone(spread.ratio([1], [0]))
