# SPDX-License-Identifier: Apache-2.0

"""Starting and stopping: twice, killed half-way, interrupted, failing."""

import dataclasses
import os
import signal
import subprocess
import sys

import fixtures
import psutil
import requests

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cloud.embedded import cloud as embedded
from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin import exceptions
from nova_volops_plugin.sdk import waiting
from nova_volops_plugin.series import nova
from nova_volops_plugin.tests.functional.embedded import base

# Looks at a database in memory when an hour has passed.
LATER = '''
import sys
import time
from unittest import mock

sys.path.insert(0, sys.argv[1])
from inside_nova.embedded_nova import program

program.patch()
from oslo_db.sqlalchemy import engines
import sqlalchemy
from sqlalchemy.pool import base

engine = engines.create_engine('sqlite://')
with engine.begin() as connection:
    connection.execute(sqlalchemy.text('CREATE TABLE guests (name TEXT)'))
with mock.patch.object(base, 'time') as clock:
    clock.time.return_value = time.time() + 3601
    with engine.begin() as connection:
        print(connection.execute(
            sqlalchemy.text('SELECT COUNT(*) FROM guests')).scalar())
'''


class TestLifecycle(base.StateTest):

    def _command(self):
        return subprocess.Popen(
            [sys.executable, '-m', 'nova_volops_plugin.cmd.app',
             '--state-dir', str(self.state.path), 'cloud', 'up'],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            # A shell lets its background jobs ignore it.
            preexec_fn=lambda: signal.signal(
                signal.SIGINT, signal.default_int_handler))

    def _half_way(self):
        """Return a command that has started the process and waits for it."""
        command = self._command()
        self.addCleanup(command.stdout.close)
        record = self.state.cloud('embedded') / 'process.json'
        waiting.until('record of a process', lambda: (
            record.exists() or command.poll() is not None))
        self.assertIsNone(command.poll(), 'the command ended at once')
        return command

    def _pids(self, cloud):
        return {service.pid for service in cloud.status()}

    def test_up_twice_and_down(self):
        cloud = self.cloud()
        cloud.up()
        pids = self._pids(cloud)
        self.assertEqual({'up'}, {s.state for s in cloud.status()})
        with fixtures.FakeLogger(embedded.__name__) as log:
            self.cloud().up()
        self.assertEqual(pids, self._pids(cloud))
        self.assertNotIn('starting', log.output)

        # Another cloud is not what was asked for; the first goes on.
        error = self.assertRaises(
            exceptions.BadInput, self.cloud(hosts=2).up)
        self.assertIn('cloud down', str(error))
        self.assertEqual(pids, self._pids(cloud))

        self.assertEqual(
            0o600, os.stat(self.state.cloud('embedded') / 'endpoint.json'
                           ).st_mode & 0o777)
        address = cloud.environ()['OS_AUTH_URL']
        cloud.down()
        self.assertEqual(['down'], [s.state for s in cloud.status()])
        self.assertRaises(
            requests.ConnectionError, requests.get, address, timeout=10)
        self.assertFalse([pid for pid in pids if psutil.pid_exists(pid)])
        self.assertRaises(exceptions.VolopsError, cloud.environ)
        cloud.down()

    def test_killed_process(self):
        cloud = self.cloud()
        cloud.up()
        pid, = self._pids(cloud)
        os.kill(pid, signal.SIGKILL)
        psutil.Process(pid).wait(10)
        self.assertEqual(['down'], [s.state for s in cloud.status()])
        cloud.up()
        self.assertNotIn(pid, self._pids(cloud))
        self.assertEqual({'up'}, {s.state for s in cloud.status()})

    def test_killed_up(self):
        command = self._half_way()
        command.kill()
        command.wait(10)
        cloud = self.cloud()
        process, = self._pids(cloud)
        cloud.up()
        self.assertEqual({process}, self._pids(cloud))
        self.assertEqual({'up'}, {s.state for s in cloud.status()})

    def test_interrupted_up(self):
        command = self._half_way()
        process, = self._pids(self.cloud())
        command.send_signal(signal.SIGINT)
        self.assertEqual(130, command.wait(30))
        self.assertFalse(psutil.pid_exists(process))
        self.assertEqual(['down'], [s.state for s in self.cloud().status()])
        self.assertEqual(
            ['lock', 'nova.log', 'up'],
            sorted(os.listdir(self.state.cloud('embedded'))))

    def test_failing_start(self):
        # What the process needs cannot be made: a file is in its place.
        inside = self.state.cloud('embedded')
        (inside / 'endpoint.json.new').mkdir()
        error = self.assertRaises(exceptions.VolopsError, self.cloud().up)
        self.assertIn('endpoint.json.new', str(error))
        self.assertIn(str(inside / 'nova.log'), str(error))
        self.assertEqual(['down'], [s.state for s in self.cloud().status()])

    def test_impossible_hosts(self):
        for hosts in ({'hosts': 0}, {'hosts': 2, 'released_hosts': 1}):
            self.assertRaises(exceptions.BadInput, self.cloud(**hosts).up)
            self.assertFalse(
                (self.state.cloud('embedded') / 'process.json').exists())

    def test_an_hour_later(self):
        for name in nova_base.sample():
            found = nova.ensure(self.state, nova_base.Base.load(name))
            (self.state.path / 'later.py').write_text(LATER)
            with process.running(
                    dataclasses.replace(found, tree=self.state.path),
                    ['later', str(found.tree)]) as later:
                self.assertEqual(['0\n'], list(later.lines()), name)
