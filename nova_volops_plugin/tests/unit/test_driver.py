# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import re
import shutil
import subprocess
import sys

import fixtures
import testtools

TOP = pathlib.Path(__file__).parents[3]


class TestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.top = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        shutil.copytree(TOP / 'tools', self.top / 'tools')
        self.programs = self.top / 'bin'
        self.programs.mkdir()

    def program(self, name, script):
        """Put a program on PATH; what it is given is in "$@"."""
        path = self.programs / name
        path.write_text('#!/bin/bash\n' + script)
        path.chmod(0o755)

    def run_script(self, *command):
        """Return the exit code and the lines of stdout and stderr."""
        environ = {name: value for name, value in os.environ.items()
                   if not name.startswith('OS_')}
        environ['PATH'] = os.pathsep.join((
            str(self.programs), os.path.dirname(sys.executable),
            os.environ['PATH']))
        done = subprocess.run(
            command, cwd=self.top, env=environ, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False,
            start_new_session=True)
        return done.returncode, done.stdout.splitlines()


class StageTest(TestCase):

    def stages(self, *scripts):
        """Run stages 'one', 'two'...; return exit code and lines."""
        return self.run_script('bash', '-uc', '\n'.join([
            '. tools/stage.sh',
            *('stage %s bash -c \'%s\'' % each
              for each in zip(('one', 'two'), scripts)),
            'total']))

    def test_all_is_well(self):
        code, lines = self.stages(
            'echo "a: 1 passed, 1 failed, 0 skipped"; '
            'echo "nova x: 5 passed, 0 failed, 1 skipped"',
            'echo "checks: 10 passed, 0 failed, 0 skipped"; echo done')
        self.assertEqual(0, code)
        self.assertIn('one: 5 passed, 0 failed, 1 skipped', lines)
        self.assertIn('two: 10 passed, 0 failed, 0 skipped', lines)
        self.assertEqual('volops: 15 passed, 0 failed, 1 skipped', lines[-1])
        for name in ('one', 'two'):
            self.assertEqual(1, sum(bool(re.fullmatch(
                name + r' took \d+ s; a processor idled for \d+ s of them',
                line)) for line in lines))

    def test_reasons(self):
        code, lines = self.stages(
            'echo "failed: test_a"; echo "| claim | failed | x |"; '
            'echo "one: 5 passed, 2 failed, 0 skipped"; exit 1',
            'echo "failed: test_a"; echo "skipped: no Python 3.9"; '
            'echo "nova old: 0 passed, 0 failed, 1 skipped"; exit 77')
        self.assertEqual(1, code)
        self.assertEqual(
            ['| claim | failed | x |', 'skipped: no Python 3.9',
             'failed: test_a', 'volops: 5 passed, 2 failed, 1 skipped'],
            lines[-4:])

    def test_breaks_down(self):
        for script, reason in (
                ('exit 0', 'exit code 0 and no counts'),
                ('exit 77', 'exit code 77 and no counts'),
                ('echo "a: 10 passed, 0 failed, 1 skipped"; exit 3',
                 'exit code 3 and 10 passed, 0 failed, 1 skipped'),
                ('no-such-command', 'exit code 127 and no counts')):
            code, lines = self.stages(script)
            self.assertEqual(1, code)
            self.assertEqual(
                ['failed: one ended with ' + reason,
                 'volops: 0 passed, 1 failed, 0 skipped'], lines[-2:])

    def test_interrupted(self):
        """No other stage begins, whatever the first one makes of Ctrl-C."""
        code, lines = self.stages(
            'trap "exit 3" INT; kill -INT 0; sleep 9', 'echo begun')
        self.assertEqual(130, code)
        self.assertNotIn('begun', lines)


class DriverTest(TestCase):

    def setUp(self):
        super().setUp()
        for name in ('new', 'old'):
            (self.top / 'nova-patches' / name).mkdir(parents=True)

    def test_every_step(self):
        for name in ('flake8', 'check-uuid', 'bashate', 'sphinx-build'):
            self.program(name, 'echo "- $0 $@"')
        self.program('nova-volops', '''\
echo "- $@"
[ "$2" != test ] || echo "nova ${@:$#}: 2 passed, 0 failed, 0 skipped"
''')
        self.program('python', '''\
echo "- $@"
echo 'own: 3 passed, 0 failed, 0 skipped'
''')
        whole = [('pep8', 1), ('lint', 1), ('verify', 1), ('docs', 1),
                 ('api-ref', 1), ('releasenotes', 1), ('unit', 3)]
        sampled = [('functional', 3), ('nova-new', 2), ('nova-old', 2)]
        for options, part, steps in (
                (('--all',), 'all', whole + sampled),
                (('--rest',), 'rest', sampled),
                ((), 'first', whole + sampled)):
            code, lines = self.run_script('tools/test.sh', *options)
            self.assertEqual(
                [*steps, ('volops', sum(count for _name, count in steps))],
                [(words[0][:-1], int(words[1])) for words in map(
                    str.split, lines) if words[2:] == [
                        'passed,', '0', 'failed,', '0', 'skipped'] and
                 words[0] not in ('checks:', 'own:', 'nova')])
            self.assertEqual(0, code)
            self.assertIn('- patch test --sample %s old' % part, lines)
            self.assertIn('- tools/own_tests.py functional ' + part, lines)
            self.assertTrue(any(re.fullmatch(
                r'== functional \(%d of %d, after \d+ s\): .*' % (
                    len(steps) - 2, len(steps)), line) for line in lines))
        for command in (
                'patch lint', 'patch verify', 'tools/own_tests.py unit',
                '%s/check-uuid --package tempest_plugin' % self.programs,
                '%s/sphinx-build -W --keep-going -q -b html doc/source '
                'doc/build/html' % self.programs):
            self.assertIn('- ' + command, lines)

    def test_within(self):
        self.program('nova-volops', 'exit 0')
        for seconds, last in (
                ('0', ['skipped: lint: time: the steps were given 0 s',
                       'volops: 0 passed, 0 failed, 1 skipped']),
                ('86400', ['lint: 1 passed, 0 failed, 0 skipped',
                           'volops: 1 passed, 0 failed, 0 skipped'])):
            code, lines = self.run_script(
                'tools/test.sh', '--rest', '--within', seconds, 'lint')
            self.assertEqual(0, code)
            self.assertEqual(last, lines[-2:])

    def test_within_every_step(self):
        self.program('nova-volops', """\
echo "- $@"
echo 'nova: 2 passed, 0 failed, 0 skipped'
""")
        self.program('python', """\
echo "- $@"
echo 'own: 3 passed, 0 failed, 0 skipped'
""")
        code, lines = self.run_script(
            'tools/test.sh', '--rest', '--within', '86400')
        self.assertEqual(0, code)
        self.assertEqual('volops: 7 passed, 0 failed, 0 skipped', lines[-1])
        for name in ('new', 'old'):
            self.assertIn('- patch test --sample rest ' + name, lines)
        seconds = [int(match[1]) for match in map(re.compile(
            r'- tools/own_tests.py --within (\d+) functional rest'
        ).fullmatch, lines) if match]
        self.assertEqual(1, len(seconds))
        self.assertTrue(0 < seconds[0] <= 86400)

    def test_no_number_of_seconds(self):
        for words, told in ((('soon',), 'soon'), ((), '')):
            code, lines = self.run_script(
                'tools/test.sh', '--within', *words)
            self.assertEqual(2, code)
            self.assertEqual(
                ["--within wants a number of seconds, not '%s'" % told],
                lines)

    def test_failed_command(self):
        self.program('nova-volops', '[ "$2" = lint ] || exit 3')
        code, lines = self.run_script('tools/test.sh', 'lint', 'verify')
        self.assertEqual(1, code)
        self.assertEqual(
            ['failed: nova-volops patch verify ended with exit code 3',
             'volops: 1 passed, 1 failed, 0 skipped'], lines[-2:])

    def test_unknown_step(self):
        code, lines = self.run_script('tools/test.sh', 'lint', 'three')
        self.assertEqual(2, code)
        self.assertEqual(
            ["there is no step 'three'; the steps are: pep8 lint verify docs "
             'api-ref releasenotes unit functional nova-new nova-old'], lines)

    def test_own_tests(self):
        self._tests("""\
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


@unittest.skip('no class')
class SkippedTest(unittest.TestCase):

    def test_a(self):
        pass
""")
        code, lines = self.run_script('tools/test.sh', 'unit')
        self.assertEqual(1, code)
        self.assertEqual(
            [line.replace('X.', 'nova_volops_plugin.tests.unit.test_x.')
             for line in (
                 'skipped: X.SkippedTest.test_a: no class',
                 'skipped: X.Test.test_b: no docker here',
                 'failed: X.Test.test_c',
                 'volops: 2 passed, 1 failed, 2 skipped')],
            lines[-4:])

    def test_own_tests_that_tell_nothing(self):
        """None, one that cannot be loaded, one that ends its process."""
        self._tests('')
        for source, told in (
                ('', 'there is no test'),
                ('import no_such_module\n',
                 "No module named 'no_such_module'"),
                ('import os\nimport unittest\n\n\n'
                 'class Test(unittest.TestCase):\n\n'
                 '    def test_a(self):\n        os._exit(0)\n', 'failed:')):
            self._source.write_text(source)
            code, lines = self.run_script('tools/test.sh', 'unit')
            self.assertEqual(1, code)
            self.assertIn(told, '\n'.join(lines))
            self.assertEqual(
                'volops: 0 passed, 1 failed, 0 skipped', lines[-1])

    def test_parts(self):
        self._tests_that_pass(60)
        ran = {part: self._own_tests(part)[0]
               for part in ('first', 'rest', 'all')}
        self.assertEqual(60, len(ran['all']))
        self.assertEqual(ran['all'], ran['first'] | ran['rest'])
        self.assertEqual(set(), ran['first'] & ran['rest'])
        self.assertLessEqual(len(ran['first']), 20)
        self.assertTrue(ran['first'])

    def test_own_tests_within(self):
        self._tests_that_pass(4)
        ran, lines = self._own_tests('all', '--within', '86400')
        self.assertEqual(4, len(ran))
        self.assertEqual('own: 4 passed, 0 failed, 0 skipped', lines[-1])
        ran, lines = self._own_tests('all', '--within', '0')
        self.assertEqual(set(), ran)
        self.assertEqual('own: 0 passed, 0 failed, 4 skipped', lines[-1])
        self.assertEqual(
            4, sum(int(re.fullmatch(
                r'skipped: (\d+) tests: time: they were given 0 s', line)[1])
                for line in lines[:-1]))

    def _own_tests(self, *words):
        """Return the names of those that ran, a set, and the lines."""
        code, lines = self.run_script(
            'python', 'tools/own_tests.py', 'unit', *words)
        self.assertEqual(0, code, lines)
        return {match[1] for match in map(
            re.compile(r'\[\d+/\d+\] \w+ (\S+) .*').fullmatch, lines)
            if match}, lines

    def _tests_that_pass(self, number):
        self._tests('import unittest\n\n\nclass Test(unittest.TestCase):\n' +
                    ''.join('\n    def test_%d(self):\n        pass\n' % each
                            for each in range(number)))

    def _tests(self, source):
        folder = self.top / 'nova_volops_plugin/tests/unit'
        folder.mkdir(parents=True)
        for package in (folder, *folder.parents[:2]):
            (package / '__init__.py').touch()
        self._source = folder / 'test_x.py'
        self._source.write_text(source)
        (self.top / '.stestr.conf').write_text(
            '[DEFAULT]\ntest_path=${OS_TEST_PATH}\ntop_dir=./\n')
