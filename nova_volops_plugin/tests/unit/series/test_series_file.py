# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import topics
from nova_volops_plugin.tests.unit.series import samples


class SeriesFileTest(samples.TestCase):

    def _load(self, text):
        path = self.series.top / 'series'
        path.write_text(text)
        return series_file.SeriesFile.load(path)

    def test_comments_and_empty_lines(self):
        loaded = self._load('# a comment\n\n0001-a.patch\n')
        self.assertEqual(('0001-a.patch',), loaded.patches)
        self.assertEqual({}, loaded.topics)

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
                ('# differs nova/x.py\n', 'REASON'),
                ('# topic\n', '# topic NAME'),
                ('# topic a b\n', '# topic NAME'),
                ('# topic a: needs\n', '# topic NAME'),
                ('# topic A\n', "'A' is no name"),
                ('# topic a--b\n', 'no name'),
                ('# topic a: needs ../b\n', 'no name'),
                ('# topic a\n# topic a\n', 'comes twice'),
                ('# topic a: needs a\n', 'no heading above'),
                ('# topic a: needs b\n# topic b\n', 'no heading above'),
                ('0001-a.patch\n# topic a\n', 'before the first topic')):
            self.assertRefused(
                exceptions.BadInput, [words, 'line '], self._load, text)

    def test_too_many(self):
        self.assertRefused(
            exceptions.BadInput, 'at most 1000', self._load,
            ''.join('%04d-a.patch\n' % each for each in range(1, 1002)))

    def test_round_trip(self):
        text = ('# topic fixes\n0001-a.patch\n# lacks 0002-b.patch: why\n'
                '# topic mode: needs fixes\n0003-c.patch\n0004-d.patch\n'
                '# topic nothing: needs fixes mode\n# topic last\n'
                '0005-e.patch\n# topic end\n# differs nova/x.py: why\n')
        loaded = self._load(text)
        self.assertEqual(text, loaded.dump())
        self.assertEqual(
            ['fixes', 'mode', 'nothing', 'last', 'end'], list(loaded.topics))
        self.assertEqual(
            topics.Topic('mode', ('fixes',),
                         ('0003-c.patch', '0004-d.patch')),
            loaded.topics['mode'])
        self.assertEqual((), loaded.topics['nothing'].patches)
        self.assertEqual('0005-e.patch', loaded.patches[-1])
        self.assertEqual({'0002-b.patch': 'why'}, loaded.lacks)
        self.assertEqual({'nova/x.py': 'why'}, loaded.differs)

    def test_needs(self):
        found = self._load(
            '# topic a\n0001-a.patch\n# topic b: needs a\n0002-b.patch\n'
            '# topic c: needs b\n0003-c.patch\n# topic d\n0004-d.patch\n'
            '# topic e: needs c\n').topics
        self.assertEqual(('a', 'b', 'c'), found.with_needs(['c']))
        self.assertEqual(('b', 'c', 'e'), found.needing(['a']))
        self.assertEqual(('c', 'd'), found.leading(['a', 'b', 'c', 'd']))
        self.assertEqual(
            [('a',), ('d',), ('a', 'b'), ('a', 'd'), ('a', 'b', 'c'),
             ('a', 'b', 'd'), ('a', 'b', 'c', 'd')],
            list(found.combinations()))
        for names, words in ((['x'], "no topic 'x'"), (['e'], 'lacks')):
            self.assertRefused(
                exceptions.BadInput, words, found.require, names, 'one')
        self.assertRefused(
            exceptions.BadInput, 'not divided', topics.Topics().require,
            ['a'], 'one')

    def test_assigned(self):
        known = dict(zip('abcdefgh', 'AAABBBCC'))
        for changes, names in (
                ('abcdefgh', 'AAABBBCC'),
                # New ones.
                ('xabxcdx', 'AAAAABB'),
                # Moved among those of another topic.
                ('adbcef', 'AAAABB'), ('abdcef', 'AAAABB'),
                ('adebcf', 'AAAAAB'),
                # All of a topic stay one.
                ('abghc', 'AACCA')):
            self.assertEqual(list(names), topics.assigned(changes, known))
        self.assertEqual([None] * 2, topics.assigned('ab', {}))
