# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
"""A process that prints lines, with this Python in place of a base's."""

import os
import pathlib
import sys

import fixtures
import testtools

from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin import exceptions

CODE = '''
import os, sys, time
print('one', os.getpid(), flush=True)
sys.stderr.write('first\\nlast words\\n')
if sys.argv[1:] == ['forever']:
    time.sleep(600)
sys.exit(int(sys.argv[1]))
'''


class ProcessTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        (self.folder / 'bin').mkdir()
        (self.folder / 'bin/python').symlink_to(sys.executable)
        (self.folder / 'speaks.py').write_text(CODE)

    def _process(self, word, **kwargs):
        return process.Process(
            self.folder, self.folder, self.folder, ['speaks', word], **kwargs)

    def test_lines(self):
        with self._process('0') as running:
            line, = running.lines()
        self.assertEqual('one', line.split()[0])

    def test_failure(self):
        log = self.folder / 'its.log'
        with self._process('1', log=log) as running:
            error = self.assertRaises(
                exceptions.VolopsError, list, running.lines())
        self.assertEqual(
            'speaks failed; its log ends with\nfirst\nlast words', str(error))
        self.assertEqual('first\nlast words\n', log.read_text())

    def test_bad_input(self):
        with self._process('127') as running:
            error = self.assertRaises(
                exceptions.BadInput, list, running.lines())
        self.assertEqual('last words', str(error))

    def test_stopped(self):
        with self._process('forever') as running:
            pid = int(next(running.lines()).split()[1])
            os.kill(pid, 0)
        self.assertRaises(ProcessLookupError, os.kill, pid, 0)
