# SPDX-License-Identifier: Apache-2.0

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

    def runs(self, name):
        """Return what is run, each as kind of threads, of test and rest."""
        return [(each.pop('mode'), *each.pop('kinds'), each)
                for each in sampled.runs(
                    self.series.load(name), self.series.root)]

    def test_newest(self):
        self.assertEqual([
            ('native', 'unit', {'added': True}),
            ('native', 'functional', {'regex': sampled.POOLS}),
            ('eventlet', 'unit', {'added': True}),
            ('eventlet', 'functional', {'share': 4})], self.runs('new'))

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
