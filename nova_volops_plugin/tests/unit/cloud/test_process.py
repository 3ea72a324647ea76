# SPDX-License-Identifier: Apache-2.0

"""A process that prints lines, with this Python in place of a base's."""

import ast
import os
import pathlib
import sys

import fixtures
import testtools

from nova_volops_plugin.bases import base
from nova_volops_plugin.bases import threads
from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import nova

CODE = '''
import os, sys, time
print('one', os.getpid(), os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'],
      flush=True)
sys.stderr.write('first\\nlast words\\n')
if sys.argv[1:] == ['forever']:
    time.sleep(600)
sys.exit(int(sys.argv[1]))
'''


# Nova's services have threads that never end.
PROGRAM = '''
import sys, threading, time
from inside_nova.embedded_nova import program

def main():
    threading.Thread(target=time.sleep, args=(600,)).start()
    print('one')
    if sys.argv[1] == 'raise':
        raise ValueError('unforeseen')
    sys.exit(int(sys.argv[1]) if sys.argv[1].isdigit() else sys.argv[1])

program.run(main)
'''


class ProcessTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        (self.folder / 'bin').mkdir()
        (self.folder / 'bin/python').symlink_to(sys.executable)
        (self.folder / 'speaks.py').write_text(CODE)
        self.base = base.default()

    def _process(self, word, **kwargs):
        return process.running(
            nova.Nova(self.base, self.folder, self.folder),
            ['speaks', word], **kwargs)

    def test_lines(self):
        with self._process('0') as running:
            line, = running.lines()
        self.assertEqual('one', line.split()[0])

    def test_threads_of_the_base(self):
        for name in base.names():
            self.base = base.Base.load(name)
            wanted = str(self.base.modes[0] == threads.NATIVE)
            with self._process('0') as running:
                line, = running.lines()
            self.assertEqual(wanted, line.split()[2])

    def test_failure(self):
        log = self.folder / 'its.log'
        with self._process('1', log=log) as running:
            error = self.assertRaises(
                exceptions.VolopsError, list, running.lines())
        self.assertEqual(
            'speaks failed; its log ends with\nfirst\nlast words', str(error))
        self.assertEqual('first\nlast words\n', log.read_text())

    def test_bad_input(self):
        with self._process('2') as running:
            error = self.assertRaises(
                exceptions.BadInput, list, running.lines())
        self.assertEqual('last words', str(error))

    def _program(self, word):
        (self.folder / 'speaks.py').write_text(PROGRAM)
        with self._process(word) as running:
            return list(running.lines())

    def test_ends_though_threads_run(self):
        self.assertEqual(['one\n'], self._program('0'))
        self.assertRaises(exceptions.BadInput, self._program, '2')
        for word, said in (('no host', 'no host'),
                           ('raise', 'ValueError: unforeseen')):
            error = self.assertRaises(
                exceptions.VolopsError, self._program, word)
            self.assertIn(said, str(error).splitlines()[-1])

    def test_stopped(self):
        with self._process('forever') as running:
            pid = int(next(running.lines()).split()[1])
            os.kill(pid, 0)
        self.assertRaises(ProcessLookupError, os.kill, pid, 0)


class InsideTest(testtools.TestCase):

    def test_imports_nothing_of_this_package(self):
        oldest = min(tuple(map(int, version.split('.')))
                     for name in base.names()
                     for version in base.Base.load(name).pythons)
        for path in variables.INSIDE.rglob('*.py'):
            names = set()
            for node in ast.walk(ast.parse(
                    path.read_text(), feature_version=oldest)):
                if isinstance(node, ast.Import):
                    names.update(name.name for name in node.names)
                elif isinstance(node, ast.ImportFrom):
                    self.assertEqual(0, node.level, path)
                    names.add(node.module)
            self.assertEqual(
                set(), {'nova_volops_plugin', 'tempest_plugin'} &
                {name.split('.')[0] for name in names}, path)
