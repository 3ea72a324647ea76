# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import series_file
from nova_volops_plugin.tests.unit.series import samples


class SeriesFileTest(samples.TestCase):

    def _load(self, text):
        path = self.series.top / 'series'
        path.write_text(text)
        return series_file.SeriesFile.load(path)

    def test_comments_and_empty_lines(self):
        self.assertEqual(('0001-a.patch',), self._load(
            '# a comment\n\n0001-a.patch\n').patches)

    def test_refused(self):
        for text, words in (
                ('../0001-a.patch\n', "no patch's file name"),
                ('/etc/passwd\n', "no patch's file name"),
                ('0001-a/../../b.patch\n', "no patch's file name"),
                ('0001-A.patch\n', "no patch's file name"),
                ('1-a.patch\n', "no patch's file name"),
                (' 0001-a.patch\n', "no patch's file name"),
                ('0002-a.patch\n0001-b.patch\n', 'numbers rise'),
                ('0001-a.patch\n0001-a.patch\n', 'numbers rise'),
                ('# lacks 0001-a.patch\n', 'REASON'),
                ('# lacks 0001-a.patch: \n', 'REASON'),
                ('# lacks ../x: why\n', "no patch's file name"),
                ('# differs nova/x.py\n', 'REASON')):
            self.assertRefused(
                exceptions.BadInput, [words, 'line '], self._load, text)

    def test_too_many(self):
        self.assertRefused(
            exceptions.BadInput, 'at most 1000', self._load,
            ''.join('%04d-a.patch\n' % each for each in range(1, 1002)))
