# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.series import tested
from nova_volops_plugin.tests.unit.series import samples


class TestedTest(samples.TestCase):

    def test_record(self):
        base = self.series.add_patched('one')
        conf = base.path / 'base.conf'
        before = conf.read_text()
        self.assertFalse(tested.is_current(base, 'native'))
        tested.record(base, 'native')
        tested.record(base, 'eventlet')
        text = conf.read_text()
        self.assertTrue(text.startswith(before))
        tested.record(base, 'native')
        self.assertEqual(text, conf.read_text())
        base = self.series.load('one')
        self.assertEqual(
            {'native': base.tree, 'eventlet': base.tree}, base.tested)

    def test_changed_series(self):
        base = self.series.add_patched('one')
        tested.record(base, 'native')
        path, _git = self.series.fetch('one')
        self.series.commit(
            path, {'nova/new.py': ''}, samples.message('Change it'))
        self.series.export('one', path)
        changed = self.series.load('one')
        self.assertEqual({'native': base.tree}, changed.tested)
        self.assertFalse(tested.is_current(changed, 'native'))
        self.assertFalse(tested.is_current(changed, 'eventlet'))
