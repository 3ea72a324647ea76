# SPDX-License-Identifier: Apache-2.0

"""Real processes: started, found, ended."""

import os
import signal

import psutil

from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud import termination
from nova_volops_plugin.sdk import waiting
from nova_volops_plugin.tests.unit.cloud.real import fake


class TestProcesses(fake.TestCase):

    def start(self, *argv, name='sleeper', **environ):
        self.cloud = self.layout()
        self.addCleanup(
            lambda: termination.end(processes.every(self.cloud), 5))
        processes.start(self.cloud, name, list(argv), environ)

    def wait_for(self, look):
        waiting.until('process', look, 20)

    def test_start_and_stop(self):
        self.start('sleep', '300')
        self.wait_for(lambda: processes.find(self.cloud, 'sleeper'))
        found = processes.find(self.cloud, 'sleeper')
        self.wait_for(lambda: found.cmdline() == ['sleep', '300'])
        self.assertNotEqual(os.getsid(0), os.getsid(found.pid))
        processes.stop(self.cloud, 'sleeper')
        self.assertIsNone(processes.find(self.cloud, 'sleeper'))
        self.assertFalse(processes.every(self.cloud))
        processes.stop(self.cloud, 'sleeper')

    def test_environment_is_clean(self):
        os.environ['VOLOPS_SECRET'] = 'x'
        self.addCleanup(os.environ.pop, 'VOLOPS_SECRET')
        self.start('sh', '-c', 'env; exec sleep 300', COLOUR='blue')
        self.wait_for(lambda: self.cloud.log('sleeper').stat().st_size)
        words = self.cloud.log('sleeper').read_text()
        self.assertIn('COLOUR=blue\n', words)
        self.assertNotIn('VOLOPS_SECRET', words)

    def test_what_it_forked_ends_with_it(self):
        self.start('sh', '-c', 'sleep 300 & exec sleep 301')
        self.wait_for(lambda: len(processes.every(self.cloud)) == 2)
        processes.stop(self.cloud, 'sleeper')
        self.assertFalse(processes.every(self.cloud))

    def test_what_ignores_the_asking_is_killed(self):
        self.start('sh', '-c', 'trap "" TERM; echo on; while :; do sleep 1; '
                   'done')
        self.wait_for(lambda: self.cloud.log('sleeper').stat().st_size)
        processes.stop(self.cloud, 'sleeper', seconds=0.5)
        self.assertFalse(processes.every(self.cloud))

    def test_forks_of_a_killed_one_are_found(self):
        self.start('sh', '-c', 'sleep 300 & exec sleep 301')
        self.wait_for(lambda: len(processes.every(self.cloud)) == 2)
        processes.find(self.cloud, 'sleeper').send_signal(signal.SIGKILL)
        self.wait_for(lambda: not processes.find(self.cloud, 'sleeper'))
        self.wait_for(
            lambda: len(processes.every(self.cloud, 'sleeper')) == 1)

    def test_a_number_used_again_is_not_ours(self):
        cloud = self.layout()
        note = cloud.folder('run') / 'sleeper.pid'
        note.write_text(str(os.getpid()))
        self.assertIsNone(processes.find(cloud, 'sleeper'))
        processes.stop(cloud, 'sleeper')
        self.assertTrue(psutil.pid_exists(os.getpid()))

    def test_names_that_begin_the_same(self):
        self.start('sleep', '300', name='nova-compute-host10')
        self.wait_for(lambda: processes.every(self.cloud))
        self.assertFalse(
            processes.every(self.cloud, 'nova-compute-host1'))
