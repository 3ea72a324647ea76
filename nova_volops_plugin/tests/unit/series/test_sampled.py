# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.series import patch
from nova_volops_plugin.series import sampled
from nova_volops_plugin.series import tested
from nova_volops_plugin.tests.unit.series import samples


class SampledTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        for number, name in enumerate(('old', 'one', 'two', 'new')):
            self.series.add(name, '%d.0.0' % (number + 1))
        # The one in the middle that is looked at closely.
        self.other = ('two', 'one')[
            int(self.series.load('new').tree, 16) % 2]

    def runs(self, name, part=sampled.ALL):
        """Return what is run, each as kind of threads, of test and rest."""
        return [(each.pop('mode'), *each.pop('kinds'), each)
                for each in sampled.runs(
                    self.series.load(name), part, self.series.root)]

    def test_newest(self):
        self.assertEqual([
            ('native', 'unit', {'added': True}),
            ('native', 'functional', {'regex': sampled.POOLS}),
            ('eventlet', 'unit', {'added': True}),
            ('eventlet', 'functional', {'share': 4})], self.runs('new'))

    def test_pools(self):
        added = {change.path.rpartition('/')[2]
                 for each in patch.load(nova_base.default())
                 for change in each.changes}
        self.assertLessEqual(
            {name + '.py' for name in sampled.POOLS.split('|')}, added)

    def test_others_of_the_sample(self):
        for name in ('old', self.other):
            self.assertEqual([
                ('eventlet', 'unit', {'added': True}),
                ('eventlet', 'functional', {'share': 8})], self.runs(name))

    def test_not_in_the_sample(self):
        name, = {'one', 'two'} - {self.other}
        self.assertEqual(
            [('eventlet', 'functional', {'share': 16})], self.runs(name))

    def test_tested(self):
        for name in ('new', 'old'):
            tested.record(self.series.load(name), 'eventlet')
            self.assertIn(
                ('eventlet', 'functional', {'share': 16}), self.runs(name))
        self.assertIn(
            ('native', 'functional', {'regex': sampled.POOLS}),
            self.runs('new'))
        tested.record(self.series.load('new'), 'native')
        self.assertIn(
            ('native', 'functional', {'share': 16}), self.runs('new'))

    def test_functional_tests_with_one_kind_of_threads(self):
        conf = self.series.root / 'new/base.conf'
        conf.write_text(conf.read_text().replace(
            'modes = native eventlet',
            'modes = native eventlet\nfunctional = eventlet'))
        self.assertEqual([
            ('native', 'unit', {'added': True}),
            ('eventlet', 'unit', {'added': True}),
            ('eventlet', 'functional', {'share': 4})], self.runs('new'))

    def test_parts(self):
        first = {name: self.runs(name, sampled.FIRST)
                 for name in ('old', 'one', 'two', 'new')}
        self.assertEqual({'new', self.other},
                         {name for name in first if first[name]})
        self.assertEqual(['native'] * 2, [run[0] for run in first['new']])
        self.assertEqual(['functional'],
                         [run[1] for run in first[self.other]])
        for name, runs in first.items():
            rest = self.runs(name, sampled.REST)
            self.assertTrue(rest)
            self.assertCountEqual(self.runs(name), runs + rest)
