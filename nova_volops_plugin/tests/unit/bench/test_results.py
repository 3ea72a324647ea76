# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.lab.bench import results
from nova_volops_plugin.tests.unit.bench import samples


class ResultTest(testtools.TestCase):

    def test_dump_and_load(self):
        result = samples.result(skipped=['there is no quilt'])
        self.assertEqual(result, results.Result.load(result.dump()))


class TotalsTest(testtools.TestCase):

    def test_sums(self):
        counts, names = results.totals([
            {'counts': {'cinder': {'get': 2}, 'sql': {'SELECT tags': 4}}},
            {'counts': {'cinder': {'get': 1, 'delete': 1}, 'sql': {},
                        'refused': {}}}])
        # Of what nobody counted there is not even a zero.
        self.assertEqual(
            {'rest': 2, 'sql': 4, 'cinder': 4, 'refused': 0}, counts)
        self.assertEqual({'cinder': {'delete': 1, 'get': 3},
                          'sql': {'SELECT tags': 4}}, names)
