# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import tree
from nova_volops_plugin.series import whole_suite
from nova_volops_plugin.tests.unit.series import samples


class WholeSuiteTest(samples.PatchedTestCase):

    def setUp(self):
        super().setUp()
        folder = self.path / 'nova/tests/functional'
        for name in ('test_a.py', 'db/test_b.py', 'fixtures/nothing.py'):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text('')
        # Which tests fail: of a run of a part, of one alone, and unpatched.
        self.failing = {'part': (), 'alone': (), 'unpatched': ()}
        self.ran = []
        self.stop_at = None
        self.patch(nova_tests, 'run', self._run)
        self.patch(tree, 'ensure', lambda *args: self.path)

    def _run(self, state, base, kinds, regex, patched=True,
             concurrency=None, mode=None, **kwargs):
        if self.stop_at and self.stop_at in regex:
            raise KeyboardInterrupt
        self.ran.append((mode, regex))
        how = 'unpatched' if not patched else \
            'alone' if regex.endswith('$') else 'part'
        failures = tuple(name for name in self.failing[how]
                         if how != 'part' or '.db.' in name)
        return nova_tests.Result(3, len(failures), 1, tuple(
            nova_tests.Failure(name, mode) for name in failures))

    def _compare(self, **kwargs):
        return list(whole_suite.run(
            self.series.state, self.series.load('one'), ('functional',),
            **dict({'mode': 'native'}, **kwargs)))

    def test_parts(self):
        self.assertEqual(
            {'db': r'^nova\.tests\.functional\.db\.',
             whole_suite.TOP: r'^nova\.tests\.functional\.test_\w+\.'},
            whole_suite.parts(self.path, 'functional'))

    def test_what_failures_mean(self):
        broken, unsteady, released = names = [
            'nova.tests.functional.db.test_b.B.test_%d' % n for n in range(3)]
        self.failing = {'part': names, 'alone': (broken, released),
                        'unpatched': (released,)}
        db = self._compare()[0]
        self.assertEqual(
            {broken: whole_suite.BROKEN, unsteady: whole_suite.UNSTEADY,
             released: whole_suite.AS_RELEASED}, db.failures)
        self.assertEqual((3, 3, 1), (db.passed, db.failed, db.skipped))

    def test_nothing_runs_unpatched_without_need(self):
        self._compare()
        self.assertEqual(
            [('native', regex) for regex in whole_suite.parts(
                self.path, 'functional').values()], self.ran)

    def test_all_threads(self):
        self.assertEqual(
            [(mode, name) for mode in ('native', 'eventlet')
             for name in ('db', whole_suite.TOP)],
            [(part.mode, part.name) for part in self._compare(mode=None)])
        self.assertEqual(4, len(self.ran))
        self._compare()
        self.assertEqual(4, len(self.ran))

    def test_goes_on_where_it_was_left(self):
        self.stop_at = 'test_'
        self.assertRaises(KeyboardInterrupt, self._compare)
        self.assertEqual(1, len(self.ran))
        self.stop_at = None
        self.assertEqual(
            ['db', whole_suite.TOP], [part.name for part in self._compare()])
        self.assertEqual(2, len(self.ran))
        self._compare(restart=True)
        self.assertEqual(4, len(self.ran))
