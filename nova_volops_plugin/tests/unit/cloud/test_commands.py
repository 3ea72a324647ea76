# SPDX-License-Identifier: Apache-2.0

import json
import subprocess

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin.cloud import base
from nova_volops_plugin.tests import command_line
from nova_volops_plugin.tests.unit.cloud import stub

OLDER = nova_base.Base.load(nova_base.sample()[-1])
UUID = 'a26887c6-c47b-4654-abb5-dfadf7d3f803'


class TestCloudCommands(stub.TestCase):

    def _run(self, *words):
        return command_line.run(
            self.folder, 'cloud', *words, '--profile', stub.NAME)[:2]

    def test_up(self):
        code, out = self._run(
            'up', '--base', OLDER.name, '--unpatched', '--hosts', '3')
        self.assertEqual(0, code)
        self.assertIn('The %s cloud is up' % stub.NAME, out)
        self.assertEqual([('up', OLDER, False, 3)], stub.StubCloud.asked)

    def test_up_by_default(self):
        self._run('up')
        self.assertEqual([('up', python.newest_base(), True, 1)],
                         stub.StubCloud.asked)

    def test_unknown_profile(self):
        code, _out, err = command_line.run(
            self.folder, 'cloud', 'up', '--profile', 'virtual')
        self.assertEqual(2, code)
        self.assertIn("no profile 'virtual'; the profiles are: embedded,", err)
        self.assertEqual([], stub.StubCloud.asked)

    def test_down(self):
        self._run('down')
        self._run('down', '--wipe')
        self.assertEqual([('down', False), ('down', True)],
                         stub.StubCloud.asked)

    def test_status(self):
        code, out = self._run('status', '-f', 'json')
        self.assertEqual(0, code)
        self.assertEqual([{'Service': 'nova-api', 'State': 'up', 'PID': 4,
                           'Detail': 'address'}], json.loads(out))

    def test_status_of_a_broken_cloud(self):
        self.patch(stub.StubCloud, 'services', stub.StubCloud.services + [
            base.ServiceStatus('cinder-api', 'failed', 5, 'no answer')])
        code, out = self._run('status', '-f', 'value', '-c', 'State')
        self.assertEqual((3, 'up\nfailed\n'), (code, out))

    def test_env_for_a_shell(self):
        code, out = self._run('env')
        self.assertEqual(0, code)
        said = subprocess.run(
            ['sh', '-c', 'eval "$1"; printf %s "$OS_PASSWORD"', 'sh', out],
            capture_output=True, text=True, check=True).stdout
        self.assertEqual('a "b" $c `d` \'e\'', said)

    def test_env_for_a_machine(self):
        _, out = self._run('env', '-f', 'json')
        self.assertEqual('a "b" $c `d` \'e\'', json.loads(out)['OS_PASSWORD'])

    def test_logs(self):
        self.patch(stub.StubCloud, 'log', self.folder / 'nova.log')
        self.assertEqual((0, ''), self._run('logs'))
        stub.StubCloud.log.write_bytes(b'one\ntwo\n\xff\n')
        self.assertEqual((0, 'nova two\nnova \ufffd\n'),
                         self._run('logs', '--lines', '2'))
        self.assertEqual((0, ''), self._run('logs', '--lines', '0'))
        self.assertEqual((0, 'nova %s\n' % stub.StubCloud.log),
                         self._run('logs', '--files'))
        self.assertEqual((2, ''), self._run('logs', 'glance'))

    def test_console(self):
        self.assertEqual((2, ''), self._run('console', UUID))
        self.assertEqual((0, '<domain>%s</domain>\n' % UUID),
                         self._run('console', '--xml', UUID))
