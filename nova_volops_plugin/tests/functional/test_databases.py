# SPDX-License-Identifier: Apache-2.0

"""The migrations, on every database server that is installed."""

import os

import ddt
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin.lab.databases import check
from nova_volops_plugin.lab.databases import paths
from nova_volops_plugin.lab.databases import servers
from nova_volops_plugin import result
from nova_volops_plugin import state

WANTED = 'NOVA_VOLOPS_TEST_DATABASES'


@ddt.ddt
class DatabasesTest(testtools.TestCase):

    def _check(self, base, kind):
        if not os.environ.get(WANTED):
            self.skipTest('it takes minutes; set %s to run it' % WANTED)
        if missing := kind.missing():
            self.skipTest(missing)
        about = state.StateDir(), base
        with kind().running() as server:
            steps = list(paths.Paths(*about, server).run())
            if server.name in check.TESTS:
                server.create(check.DATABASE)
                steps += check.Check(*about, server).run(1000, tests=False)
        self.assertEqual(
            [], [(step.name, step.found) for step in steps
                 if step.result != result.PASSED])
        self.assertFalse(server.folder.exists())

    @ddt.data(*nova_base.names())
    def test_on_mariadb(self, base):
        self._check(nova_base.Base.load(base), servers.MariaDB)

    @ddt.data(*nova_base.names())
    def test_on_postgresql(self, base):
        self._check(nova_base.Base.load(base), servers.PostgreSQL)

    def test_on_sqlite(self):
        self._check(python.newest_base(), servers.SQLite)


class ServersTest(testtools.TestCase):

    def _check(self, kind):
        if missing := kind.missing():
            self.skipTest(missing)
        with kind().running() as server:
            pid = server.pid
            server.create('one')
            server.execute('CREATE TABLE t (a INT)',
                           'INSERT INTO t VALUES (7)', database='one')
            self.assertEqual('7', server.execute(
                'SELECT a FROM t', database='one'))
        self.assertRaises(ProcessLookupError, os.kill, pid, 0)
        self.assertFalse(server.folder.exists())

    def test_mariadb(self):
        self._check(servers.MariaDB)

    def test_postgresql(self):
        self._check(servers.PostgreSQL)
