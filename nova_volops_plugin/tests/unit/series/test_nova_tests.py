# SPDX-License-Identifier: Apache-2.0

import pathlib
import re
import shutil
import sys
import unittest

import fixtures
import testtools

from nova_volops_plugin.bases import environment
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import touched
from nova_volops_plugin.tests.unit.series import samples

# Takes stestr's options and prints what stestr prints.
_STESTR = '''#!/bin/sh
case "$*" in
*failing*) %(failing)s exit 0;;
esac
printf '%%s\\n' "$*" > %(seen)s
env >> %(seen)s
%(output)s
exit %(code)d
'''
_OUTPUT = '''cat <<END
{0} nova.tests.unit.A.test_a [0.1s] ... ok
{1} nova.tests.unit.A.test_b [0.1s] ... FAILED
{1} nova.tests.unit.A.test_c ... SKIPPED: no database
======
Totals
======
Ran: 3 tests in 1.0 sec.
 - Passed: 1
 - Skipped: 1
 - Expected Fail: 2
 - Unexpected Success: 1
 - Failed: 1
END
'''


# What ends a test when its time is over may be caught like any error.
_HANGS = '''
import os
import time

import fixtures
import testtools


class A(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.Timeout(
            int(os.environ['OS_TEST_TIMEOUT']), gentle=True))

    def test_that_ends(self):
        pass

    def test_that_hangs(self):
        try:
            time.sleep(60)
        except Exception:
            pass
'''


class TouchedTest(samples.TestCase):

    def test_modules(self):
        base = self.series.add_patched('one')
        path, git = self.series.fetch('one')
        # Nothing of it is there yet, and nothing is made up.
        self.assertEqual([], touched.tests(base, path, 'unit'))
        git.run('checkout', '-q', '1.0.0')
        for name in ('nova/tests/unit/compute/test_reimage.py',
                     'nova/tests/unit/compute/test_compute_mgr.py',
                     'nova/tests/unit/objects/test_service.py'):
            (path / name).parent.mkdir(exist_ok=True)
            (path / name).write_text('')
        self.assertEqual(
            ['nova.tests.unit.compute.test_compute_mgr',
             'nova.tests.unit.compute.test_reimage'],
            touched.tests(base, path, 'unit'))
        self.assertEqual([], touched.tests(base, path, 'functional'))

    def test_changed_classes(self):
        name = 'nova/tests/functional/test_servers.py'
        new = 'nova/tests/functional/test_new.py'
        old = ('class A:\n    def test(self):\n        pass\n\n'
               'class B(A):\n    pass\n')
        self.series.add('two', '2.0.0', **{
            'nova__tests__functional__test_servers_py': old})
        path, git = self.series.fetch('two')
        self.series.commit(
            path, {new: old, name: '# Comment\n' + old.replace(
                '    pass\n\n', '    self.fail()\n\n') +
                'class C:\n    x = 1\n'},
            samples.message('Change tests'))
        self.series.export('two', path)
        base = self.series.load('two')
        self.assertEqual(
            ['nova.tests.functional.test_new',
             'nova.tests.functional.test_servers.A',
             'nova.tests.functional.test_servers.C'],
            touched.tests(base, path, 'functional'))
        self.assertEqual(
            ['nova.tests.functional.test_new'],
            touched.tests(base, path, 'functional', added=True))
        names, pattern = touched.added(base, path, 'functional')
        self.assertEqual(['nova.tests.functional.test_new',
                          'nova.tests.functional.test_servers'], names)
        self.assertEqual(
            [True, True, True, False], [
                bool(re.search(pattern, 'nova.tests.functional.' + test))
                for test in ('test_new.B.test', 'test_servers.B.test',
                             'test_servers.C.test', 'test_servers.B.other')])
        self.assertEqual(([], ''), touched.added(base, path, 'unit'))
        git.run('checkout', '-q', '2.0.0')
        self.assertEqual([], touched.tests(base, path, 'functional'))

    def test_changed_helper(self):
        before = ('class A:\n    def _helper(self):\n        pass\n'
                  '    def test_a(self):\n        self._helper()\n'
                  'class B:\n    def test_b(self):\n        pass\n')
        for old, new, found in (
                ('_helper(self):\n        pass', '_helper(self):\n        1',
                 ['A\\.']),
                ('self._helper()', 'self._helper', ['\\w+\\.test_a']),
                ('# ', '', [])):
            self.assertEqual(found, touched._changed_tests(
                before, before.replace(old, new)))

    def test_sample(self):
        path = self.series.top / 'tree'
        (path / 'nova').mkdir(parents=True)
        (path / 'nova/test_a.py').write_text(
            'class A:\n' + ''.join(
                '    def test_%03d(self):\n        pass\n' % number
                for number in range(200)) + '    def helper(self):\n'
            '        pass\n')
        found, again, other = (
            touched.sample(path, ['nova.test_a'], seed, 8)
            for seed in ('x', 'x', 'y'))
        self.assertEqual(found, again)
        self.assertNotEqual(found, other)
        self.assertLess(5, len(found))
        self.assertLess(len(found), 60)
        matching = [
            number for number in range(200) if any(
                re.search(each, 'nova.test_a.A.test_%03d' % number)
                for each in found)]
        self.assertEqual(len(found), len(matching))
        self.assertEqual(200, len(
            touched.sample(path, ['nova.test_a'], 'x', 1)))

    def test_what_names_what(self):
        for changed, wanted in (
                ('nova/tests/unit/test_a.py', ['nova/tests/unit/test_a.py']),
                ('nova/tests/fixtures/cinder.py', []),
                ('nova/a/b.py', ['nova/tests/unit/a/test_b.py']),
                ('nova/compute/manager.py',
                 ['nova/tests/unit/compute/test_compute_mgr.py']),
                ('nova/conductor/rpcapi.py',
                 ['nova/tests/unit/conductor/test_conductor.py']),
                ('nova/a.py', ['nova/tests/unit/test_a.py']),
                ('doc/notification_samples/x.json',
                 [touched._NOTIFICATIONS]),
                ('doc/source/x.rst', []), ('setup.py', [])):
            self.assertEqual(wanted, list(touched._tests(changed)))


class RunTest(samples.PatchedTestCase):

    def setUp(self):
        super().setUp()
        env = self.series.top / 'env'
        (env / 'bin').mkdir(parents=True)
        self.stestr = env / 'bin/stestr'
        self.seen = self.series.top / 'seen'
        self.patch(environment, 'ensure', lambda *args, **kwargs: env)

    def _stestr(self, output=_OUTPUT, code=0, failing=''):
        samples.write_program(self.stestr, _STESTR % {
            'seen': self.seen, 'output': output, 'code': code,
            'failing': failing})

    def _run(self, **kwargs):
        return nova_tests.run(
            self.series.state, self.series.load('one'),
            **dict({'kinds': ('unit',), 'mode': 'native'}, **kwargs))

    def test_counts(self):
        self._stestr(code=1, failing='echo nova.tests.unit.A.test_b;')
        log = self.useFixture(fixtures.FakeLogger(nova_tests.__name__))
        result = self._run()
        self.assertEqual('3 passed, 2 failed, 1 skipped', str(result))
        self.assertEqual(['nova.tests.unit.A.test_b (native threads)'],
                         list(map(str, result.failures)))
        self.assertIn('1 passed, 1 failed, 1 skipped\n\n', log.output)
        self.assertIn('SKIPPED: no database', result.logs[0].read_text())

    def test_that_hangs(self):
        """It fails, although for stestr it passed."""
        self.series.commit(self.path, {
            'nova/__init__.py': '', 'nova/tests/__init__.py': '',
            'nova/tests/unit/__init__.py': '',
            'nova/tests/unit/test_hangs.py': _HANGS},
            samples.message('Add tests'))
        self.series.export('one', self.path)
        self.stestr.symlink_to(pathlib.Path(sys.prefix) / 'bin/stestr')
        self.patch(nova_tests, '_TIMEOUT', 1)
        log = self.useFixture(fixtures.FakeLogger(nova_tests.__name__))
        result = self._run(regex='test_hangs')
        self.assertIn(' - Passed: 2\n', result.logs[0].read_text())
        self.assertEqual('1 passed, 1 failed, 0 skipped', str(result))
        name = 'nova.tests.unit.test_hangs.A.test_that_hangs'
        self.assertEqual([name + ' (native threads)'],
                         list(map(str, result.failures)))
        self.assertIn(name + ' passed, but only after its 1 seconds were '
                      'over', log.output)

    def test_program_that_nova_runs_is_missing(self):
        self._stestr()
        self.patch(shutil, 'which', lambda name: None)
        error = self.assertRaises(
            exceptions.VolopsError, self._run, kinds=('functional',),
            regex='test_.')
        self.assertIn('apt-get install procps', str(error))
        self.assertFalse(self.seen.exists())

    def test_both_kinds(self):
        self._stestr(code=1)
        result = self._run(kinds=nova_tests.KINDS, regex='test_.')
        self.assertEqual('6 passed, 4 failed, 2 skipped', str(result))

    def test_all_threads(self):
        self._stestr(code=1, failing='echo nova.tests.unit.A.test_b;')
        log = self.useFixture(fixtures.FakeLogger(nova_tests.__name__))
        result = self._run(mode=None)
        self.assertEqual('6 passed, 4 failed, 2 skipped', str(result))
        self.assertEqual(
            ['nova.tests.unit.A.test_b (native threads)',
             'nova.tests.unit.A.test_b (eventlet threads)'],
            list(map(str, result.failures)))
        self.assertEqual(2, len(set(result.logs)))
        self.assertEqual(
            ['running the unit tests of nova one with %s threads' % mode
             for mode in ('native', 'eventlet')],
            [line for line in log.output.splitlines() if 'running' in line])

    def test_threads_chosen(self):
        self._stestr(code=1)
        for mode, variable in (('native', 'True'), ('eventlet', 'False')):
            self._run(mode=mode)
            self.assertIn(
                '\nOS_NOVA_DISABLE_EVENTLET_PATCHING=%s\n' % variable,
                self.seen.read_text())

    def test_threads_the_base_does_not_have(self):
        self.edit('one/base.conf', 'native eventlet', 'eventlet')
        self._stestr(code=1)
        self.assertRefused(
            exceptions.BadInput, 'does not run with native threads',
            self._run)
        self.assertEqual(1, len(self._run(mode=None).logs))

    def test_tests_that_nova_leaves_out(self):
        self._stestr(code=1)
        self._run()
        (self.path / 'threading_unit_test_excludes.txt').write_text(
            '# These hang\n\nnova.tests.unit.A.test_d\n  # why\n')
        for mode in ('eventlet', 'native'):
            self.assertNotIn('--exclude-list', self.seen.read_text())
            nova_tests._stestr(
                self.series.state, self.series.load('one'),
                self.stestr.parents[1], self.path, 'unit', mode, None, '.', 1)
        self.assertIn('--exclude-list', self.seen.read_text())
        folder = self.series.state.path / 'stestr/one-unit-native'
        self.assertEqual('nova.tests.unit.A.test_d',
                         (folder / 'excluded').read_text())

    def test_how_it_is_called(self):
        self._stestr(code=1)
        self._run(concurrency=3)
        text = self.seen.read_text()
        folder = self.series.state.path / 'stestr/one-unit-native'
        self.assertIn(
            '--test-path {0}/named --top-dir {0}/named '.format(folder), text)
        self.assertIn(' run --concurrency 3\n', text)
        self.assertIn(
            "'nova.tests.unit.compute.test_reimage'",
            (folder / 'named/test_named.py').read_text())
        for line in ('OS_TEST_TIMEOUT=600', 'LC_ALL=C.UTF-8',
                     'PWD=%s' % (self.series.state.trees / 'one')):
            self.assertIn('\n%s\n' % line, text)

    def test_classes_that_are_no_tests_are_passed_over(self):
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        module = {}
        nova_tests._found_in(folder, 'functional', [
            'nova_volops_plugin.exceptions.BadInput', self.id().rsplit(
                '.', 1)[0]])
        exec((folder / 'named/test_named.py').read_text(), module)
        suite = module['load_tests'](unittest.TestLoader(), None, None)
        self.assertIn(self.id(), [
            test.id() for test in testtools.iterate_tests(suite)])

    def test_share(self):
        name = 'nova/tests/functional/test_new.py'
        self.series.commit(self.path, {
            name: 'class A:\n    def test_a(self):\n        pass\n'},
            samples.message('Add a test'))
        self.series.export('one', self.path)
        self._stestr(code=1)
        self._run(kinds=('functional',), share=1)
        self.assertIn(' ^nova\\.tests\\.functional\\.test_new\\.\\w+'
                      '\\.test_a\\b\n', self.seen.read_text())

    def test_unpatched(self):
        self._stestr(code=1)
        self.assertRefused(
            exceptions.BadInput, 'touches no unit test', self._run,
            patched=False)
        self._run(patched=False, regex='.')
        self.assertIn('trees/one-unpatched', self.seen.read_text())

    def test_no_result(self):
        for output, code, error, words, regex in (
                ('echo ImportError: no module', 100, exceptions.VolopsError,
                 ['did not run', 'ImportError'], None),
                (_OUTPUT.replace('Failed: 1', 'Failed: 0').replace(
                    'Success: 1', 'Success: 0'), 1, exceptions.VolopsError,
                 'without a failed test', None),
                ('echo "The specified regex doesn\'t match with anything"', 1,
                 exceptions.BadInput, "matches 'nothing'", 'nothing')):
            self._stestr(output, code)
            self.assertRefused(error, words, self._run, regex=regex)
