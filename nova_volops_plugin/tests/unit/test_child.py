# SPDX-License-Identifier: Apache-2.0

import contextlib
import os
import pathlib
import signal
import subprocess
import time

import fixtures
import psutil
import testtools

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

# A shell that waits for a child of its own, and tells its pid.
PARENT = ['sh', '-c', 'sleep 600 & echo $!; wait']
STUBBORN = ['sh', '-c', 'trap "" TERM; echo started; sleep 600; sleep 600']


class RunningTest(testtools.TestCase):

    def _interrupted(self, command, **kwargs):
        """Run a command for a line, and return it and the process."""
        with testtools.ExpectedException(KeyboardInterrupt):
            with child.running(
                    command, stdout=subprocess.PIPE, text=True,
                    **kwargs) as process:
                line = process.stdout.readline()
                raise KeyboardInterrupt
        return line, process

    def test_stops_what_it_started_too(self):
        pid, process = self._interrupted(PARENT)
        self.assertEqual(-signal.SIGTERM, process.returncode)
        with contextlib.suppress(psutil.NoSuchProcess):
            grandchild = psutil.Process(int(pid))
            # Until init has waited for it, a killed process is a zombie.
            while grandchild.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.1)

    def test_kills_what_does_not_stop(self):
        _line, process = self._interrupted(STUBBORN, stop_seconds=0.1)
        self.assertEqual(-signal.SIGKILL, process.returncode)

    def test_asks_by_another_signal(self):
        # One that nohup and the like do not have ignored.
        _line, process = self._interrupted(
            PARENT, stop_signal=signal.SIGUSR1)
        self.assertEqual(-signal.SIGUSR1, process.returncode)

    def test_is_interrupted_while_it_starts(self):
        started = []
        popen = subprocess.Popen

        def interrupted(*args, **kwargs):
            started.append(popen(*args, **kwargs))
            signal.raise_signal(signal.SIGINT)
            return started[0]

        # Whoever runs the tests may have it ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(
            signal.SIGINT, signal.default_int_handler))
        self.useFixture(fixtures.MonkeyPatch('subprocess.Popen', interrupted))
        with testtools.ExpectedException(KeyboardInterrupt):
            with child.running(['sleep', '600']):
                self.fail('it goes on')
        self.assertEqual(-signal.SIGTERM, started[0].returncode)
        self.assertIs(signal.default_int_handler,
                      signal.getsignal(signal.SIGINT))

    def test_has_a_session_of_its_own(self):
        with child.running(['sleep', '600']) as process:
            self.assertEqual(process.pid, os.getsid(process.pid))

    def test_leaves_one_that_has_ended(self):
        with child.running(['true']) as process:
            process.wait()
        self.assertEqual(0, process.returncode)


class RunTest(testtools.TestCase):

    def test_output(self):
        done = child.run(['sh', '-c', 'cat; echo no >&2; exit 3'], input='it')
        self.assertEqual((3, 'it', 'no\n'),
                         (done.returncode, done.stdout, done.stderr))

    def test_failure(self):
        self.assertEqual('', child.run(['true'], 'it failed:').stdout)
        error = self.assertRaises(
            exceptions.VolopsError, child.run,
            ['sh', '-c', 'seq 100; echo why >&2; exit 3'], 'it failed:')
        lines = str(error).splitlines()
        self.assertEqual(['it failed:', '87', '100', 'why'],
                         [*lines[:2], *lines[-2:]])

    def test_interrupted(self):
        before = signal.signal(signal.SIGALRM, self._interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        pid = pathlib.Path(self.useFixture(fixtures.TempDir()).path) / 'pid'
        signal.setitimer(signal.ITIMER_REAL, 2)
        with testtools.ExpectedException(KeyboardInterrupt):
            child.run(['sh', '-c', 'echo $$ > %s; sleep 600' % pid])
        self.assertFalse(psutil.pid_exists(int(pid.read_text())))

    @staticmethod
    def _interrupt(*_args):
        raise KeyboardInterrupt


class RunTogetherTest(testtools.TestCase):

    def test_at_the_same_time(self):
        fifo = self.useFixture(fixtures.TempDir()).join('fifo')
        os.mkfifo(fifo)
        # Each waits for the other one to open it.
        child.run_together([['sh', '-c', 'echo > %s' % fifo],
                            ['sh', '-c', 'read line < %s' % fifo]], 'failed:')

    def test_failure(self):
        fifo = self.useFixture(fixtures.TempDir()).join('fifo')
        os.mkfifo(fifo)
        error = self.assertRaises(
            exceptions.VolopsError, child.run_together,
            [['true'], ['sh', '-c', 'cat %s; echo why >&2; exit 3' % fifo],
             ['sh', '-c', 'echo $$ > %s; exec sleep 600' % fifo]], 'failed:')
        failed, pid, why = str(error).splitlines()
        self.assertEqual(('failed:', 'why'), (failed, why))
        self.assertFalse(psutil.pid_exists(int(pid)))
