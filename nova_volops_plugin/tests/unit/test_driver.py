# SPDX-License-Identifier: Apache-2.0

import contextlib
import importlib.util
import io
import os
import pathlib
import sys

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base

TOP = pathlib.Path(__file__).parents[3]


def _load():
    spec = importlib.util.spec_from_file_location(
        'driver', TOP / 'tools/test.py')
    module = importlib.util.module_from_spec(spec)
    sys.modules['driver'] = module
    spec.loader.exec_module(module)
    return module


driver = _load()


class DriverTest(testtools.TestCase):

    def _main(self, names, **scripts):
        """Run steps made of Python scripts; return exit code and output."""
        steps = tuple(
            driver.Step(name, ((sys.executable, '-c', script),), count)
            for name, (count, script) in scripts.items())
        self.useFixture(fixtures.MonkeyPatch('driver.steps', lambda: steps))
        out = io.StringIO()
        with contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(out):
            code = driver.main(names)
        return code, out.getvalue().splitlines()

    def test_all_is_well(self):
        code, lines = self._main(
            [], one=('commands', 'pass'),
            two=('line', 'print("nova x: 5 passed, 0 failed, 0 skipped")'))
        self.assertEqual(0, code)
        self.assertIn('one: 1 passed, 0 failed, 0 skipped', lines)
        self.assertEqual('volops: 6 passed, 0 failed, 0 skipped', lines[-1])

    def test_failed_command(self):
        code, lines = self._main(
            [], one=('commands', 'raise SystemExit(3)'),
            two=('commands', 'pass'))
        self.assertEqual(1, code)
        self.assertEqual('volops: 1 passed, 1 failed, 0 skipped', lines[-1])
        self.assertRegex(lines[-2], '^failed: .* ended with exit code 3$')

    def test_stestr(self):
        folder = self._tests("""\
import unittest


class Test(unittest.TestCase):

    def test_a(self):
        pass

    def test_b(self):
        self.skipTest('no docker here')

    def test_c(self):
        self.fail()

    @unittest.expectedFailure
    def test_d(self):
        self.fail()
""")
        counts = driver.run(driver.Step('one', (
            ('stestr', '--test-path', folder, 'run'),), 'stestr'))
        self.assertEqual(driver.Counts(
            2, 1, 1, ['test_x.Test.test_b: no docker here'],
            ['test_x.Test.test_c']), counts)

    def test_no_test(self):
        folder = self._tests('')
        counts = driver.run(driver.Step('one', (
            ('stestr', '--test-path', folder, 'run'),), 'stestr'))
        self.assertEqual((0, 1), (counts.passed, counts.failed))

    def _tests(self, source):
        """Make a folder of tests, and be in it."""
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'test_x.py').write_text(source)
        self.useFixture(fixtures.MonkeyPatch('driver.TOP', folder))
        self.useFixture(fixtures.EnvironmentVariable(
            'PATH', '%s:%s' % (os.path.dirname(sys.executable),
                               os.environ['PATH'])))
        return str(folder)

    def test_skipped_base(self):
        code, lines = self._main([], one=('line', '''\
print("skipped: no Python 3.9")
print("nova old: 0 passed, 0 failed, 1 skipped")
raise SystemExit(77)'''))
        self.assertEqual(0, code)
        self.assertEqual(
            ['skipped: no Python 3.9',
             'volops: 0 passed, 0 failed, 1 skipped'], lines[-2:])

    def test_failed_base(self):
        code, lines = self._main([], one=('line', '''\
print("failed: nova.tests.unit.test_a")
print("nova old: 5 passed, 1 failed, 0 skipped")
raise SystemExit(1)'''))
        self.assertEqual(1, code)
        self.assertEqual(
            ['failed: nova.tests.unit.test_a',
             'volops: 5 passed, 1 failed, 0 skipped'], lines[-2:])

    def test_breaks_down(self):
        for count, script in (
                ('line', 'print("no counts")'),
                ('line', 'print("1 passed, 0 failed, 0 skipped"); '
                         'raise SystemExit(1)')):
            code, lines = self._main([], one=(count, script))
            self.assertEqual(1, code)
            self.assertIn(' 1 failed, 0 skipped', lines[-1])

    def test_missing_command(self):
        self.useFixture(fixtures.MonkeyPatch(
            'driver.steps',
            lambda: (driver.Step('one', (('no-such-command',),)),)))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(1, driver.main([]))
        self.assertIn('no-such-command is not installed', out.getvalue())

    def test_chosen_steps(self):
        code, lines = self._main(
            ['two'], one=('commands', 'raise SystemExit(1)'),
            two=('commands', 'pass'))
        self.assertEqual(0, code)

    def test_unknown_step(self):
        code, lines = self._main(['three'], one=('commands', 'pass'))
        self.assertEqual(2, code)
        self.assertEqual(
            ["there is no step 'three'; the steps are: one"], lines)


class StepsTest(testtools.TestCase):

    def test_names(self):
        self.assertEqual(
            ['pep8', 'lint', 'verify', 'unit', 'docs', 'api-ref',
             'releasenotes', 'functional',
             *('nova-%s-%s' % (name, mode) for name in nova_base.names()
               for mode in self._modes(nova_base.Base.load(name)))],
            [step.name for step in driver.steps()])

    @staticmethod
    def _modes(base):
        if base.name == nova_base.default():
            return base.modes
        return base.functional_modes[-1:]

    def test_commands_are_tox_ini_s(self):
        self.assertIn(('flake8',), driver.from_tox('pep8').commands)
        self.assertEqual(
            ('sphinx-build', '-W'),
            driver.from_tox('docs').commands[0][:2])
