# SPDX-License-Identifier: Apache-2.0

"""Processes of others are ended."""

import signal
import subprocess
import sys

import psutil
import testtools

from nova_volops_plugin.cloud import termination

# It never asks how its child ended.
CARELESS = [sys.executable, '-c', """
import subprocess, time
child = subprocess.Popen(['sleep', '600'])
print(child.pid, flush=True)
time.sleep(600)
"""]
STUBBORN = ['sh', '-c', 'trap "" TERM; echo $$; while :; do sleep 1; done']


class EndTest(testtools.TestCase):

    def _start(self, command):
        """Run a command; return it and the process whose number it prints."""
        started = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        return started, psutil.Process(int(started.stdout.readline()))

    def test_who_adopted_it_does_not_care(self):
        _adopter, process = self._start(CARELESS)
        self.assertFalse(termination.has_ended(process))
        termination.end([process], 60)
        self.assertEqual(psutil.STATUS_ZOMBIE, process.status())
        self.assertTrue(termination.has_ended(process))

    def test_kills_what_does_not_end(self):
        started, process = self._start(STUBBORN)
        termination.end([process], 0.1)
        self.assertEqual(-signal.SIGKILL, started.wait())

    def test_ends_what_does(self):
        started, process = self._start(CARELESS)
        termination.end([psutil.Process(started.pid), process], 60)
        self.assertEqual(-signal.SIGTERM, started.wait())

    def test_kill(self):
        started, process = self._start(CARELESS)
        termination.kill([process, psutil.Process(started.pid)])
        self.assertEqual(-signal.SIGKILL, started.wait())
        self.assertTrue(termination.has_ended(process))

    def test_wait_until_gone(self):
        started, process = self._start(CARELESS)
        parent = psutil.Process(started.pid)
        termination.kill([process, parent])
        termination.wait_until_gone([parent])
        self.assertFalse(psutil.pid_exists(started.pid))

    def test_what_is_gone(self):
        started, process = self._start(CARELESS)
        gone = psutil.Process(started.pid)
        termination.kill([process, gone])
        started.wait()
        termination.end([gone], 60)
        self.assertTrue(termination.has_ended(gone))
