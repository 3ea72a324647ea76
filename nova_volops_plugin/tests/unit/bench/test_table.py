# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.lab.bench import catalog
from nova_volops_plugin.lab.bench import results
from nova_volops_plugin.lab.bench import table
from nova_volops_plugin.tests.unit.bench import samples


class RowsTest(testtools.TestCase):

    def test_rows(self):
        self.assertEqual(
            ('reboot', 2, 'patched', '4.000', '3.000-5.000',
             '1.00 (0.60-1.67)', '1', '', '', '1', '0', '',
             'api seconds 0.500'),
            table.rows(samples.result())[2])

    def test_counts_that_differ(self):
        result = results.Result('reboot', 'new', [
            results.Sample('A', 1, 1.0, {'sql': count})
            for count in (7, 9, 8, 9)])
        self.assertEqual('7-9', table.rows(result)[0][8])

    def test_a_way_that_is_missing_at_a_point(self):
        result = samples.result()
        result.samples = [sample for sample in result.samples if (
            sample.variant, sample.size) != ('as released', 2)]
        self.assertEqual([(1, 'patched'), (1, 'as released'), (2, 'patched')],
                         [row[1:3] for row in table.rows(result)])
        self.assertEqual('', table.rows(result)[2][5])


class DocumentTest(testtools.TestCase):

    def _document(self, **fields):
        return table.document([samples.result(**fields)], catalog.BENCHMARKS)

    def test_section(self):
        text = self._document(skipped=['There is no quilt.'])
        self.assertRegex(text, r'\n   Volumes,Variant,.*,Cinder')
        for line in (
                '*Calls to Cinder above the least:* patched +0 at 1, +0 at 2; '
                'as released +1 at 1, +2 at 2.\n',
                '*Not measured:* There is no quilt.\n',
                '.. image:: benchmarks/new-reboot.png\n'):
            self.assertIn(line, text)
        for unused in ('Refused', 'Sql'):
            self.assertNotIn(unused, text)

    def test_without(self):
        self.assertNotIn('csv-table', self._document(samples=[]))
        self.assertNotIn('image::', self._document(samples=[
            results.Sample('patched', 1, 1.0)]))
