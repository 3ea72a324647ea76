# SPDX-License-Identifier: Apache-2.0

"""The documented statements are those that are tried out."""

import contextlib
import pathlib
import re
import sqlite3

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.lab.databases import check
from nova_volops_plugin.lab.databases import paths
from nova_volops_plugin.lab.databases import servers
from nova_volops_plugin import result
from nova_volops_plugin.series import migrations

UPGRADE = pathlib.Path(__file__).parents[3] / 'doc/source/admin/upgrade.rst'


class DocumentedTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.text = UPGRADE.read_text()

    def _statements(self, comment):
        """Return the statements below a comment that is in the document."""
        wanted, found = False, []
        for line in self.text.splitlines():
            if line.strip().startswith('-- '):
                wanted = line.strip() == '-- ' + comment
            elif wanted and re.match(r' +(UPDATE|ALTER|WHERE) ', line):
                found.append(line.strip())
        return [statement.strip() for statement in
                ' '.join(found).split(';') if statement.strip()]

    def test_roll_back(self):
        documented = '; '.join(self._statements('remove the series'))
        # The rows of the table of revisions.
        rows = re.findall(
            r'(?m)^(\S+) +``(\w{12})`` +``(\w{12})``$', self.text)
        self.assertNotEqual([], rows)
        for base, released, patched in rows:
            self.assertEqual(
                '; '.join(check.roll_back(nova_base.Base.load(base))),
                documented.replace('AS_RELEASED', released).replace(
                    'WITH_THE_SERIES', patched))

    def test_take_over(self):
        # The other bases came after the pre-release schema.
        had_it = re.findall('-- taken over with the schema of (.*)', self.text)
        self.assertEqual(2, len(had_it))
        for base in map(nova_base.Base.load, had_it):
            self.assertEqual([paths.take_over(base)], self._statements(
                'taken over with the schema of ' + base.name))


class _Nova:
    """Keeps the schema's revision in SQLite, and may do so wrongly.

    :cvar refuses: whether it refuses what it does not know
    :cvar skips: the revision that it takes for the last one
    :cvar more: so many revisions it runs the second time
    """

    refuses, skips, more = True, None, 0

    def __init__(self, state, base, patched):
        self._ends = migrations.ends(base)
        self._end = self._ends[patched]

    def sync(self, url):
        with self._open(url) as database:
            for table in (*paths.TABLES, 'alembic_version (version_num)',
                          'made (version_num)'):
                database.execute('CREATE TABLE IF NOT EXISTS %s%s' % (
                    table, '' if '(' in table else ' (id)'))
            (found,) = (database.execute(
                'SELECT max(version_num) FROM alembic_version').fetchone())
            if found == migrations.FORMER and self.refuses:
                return "Can't locate revision identified by '%s'" % found
            database.execute('DELETE FROM alembic_version')
            database.execute('INSERT INTO alembic_version VALUES (?)',
                             (self._end,))
            if not self.skips or found != self.skips:
                database.execute('DELETE FROM made')
                database.execute('INSERT INTO made VALUES (?)', (self._end,))

    def check(self, what, url):
        with self._open(url) as database:
            (schema,), (version,) = (database.execute(
                'SELECT version_num FROM ' + table).fetchone()
                for table in ('made', 'alembic_version'))
        if what == 'describe':
            return (schema, version), None
        return {'version': version, 'run': self.more, 'changed': False,
                'schema': {'instances': schema}}, None

    @contextlib.contextmanager
    def _open(self, url):
        with contextlib.closing(sqlite3.connect(
                url.removeprefix('sqlite:///'))) as database, database:
            yield database


class PathsTest(testtools.TestCase):
    """What is said of a Nova that migrates rightly or wrongly."""

    def setUp(self):
        super().setUp()
        self.bases = sorted(
            nova_base.load_all(), key=lambda base: base.release)

    def _run(self, base, **wrong):
        made = type('Nova', (_Nova,), wrong)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.databases.nova.Nova', made))
        with servers.SQLite().running() as server:
            return {step.name: step for step in paths.Paths(
                None, base, server).run()}

    def _failed(self, base, **wrong):
        return [step.found for step in self._run(base, **wrong).values()
                if step.result != result.PASSED]

    def test_every_older_base(self):
        newest = self.bases[-1]
        steps = self._run(newest)
        self.assertEqual([], [step for step in steps.values()
                              if step.result != result.PASSED])
        for base in self.bases:
            self.assertIn('database of the released ' + base.name, steps)
            self.assertIn('former database of ' + base.name, steps)
            self.assertEqual(
                base != newest,
                'database of the patched ' + base.name in steps)

    def test_no_newer_base(self):
        names = ' '.join(self._run(self.bases[0]))
        for base in self.bases[1:]:
            self.assertNotIn(base.name, names)

    def test_skipped(self):
        released = migrations.ends(self.bases[0])[0]
        found = self._failed(self.bases[-1], skips=released)
        self.assertEqual(1, len(found))
        self.assertIn('other tables than a new one: instances', found[0])

    def test_not_refused(self):
        found = self._failed(self.bases[-1], refuses=False)
        self.assertEqual(['it is migrated, changed'] * len(self.bases), found)

    def test_second_time(self):
        found = self._failed(self.bases[0], more=2)
        self.assertIn('again 2 more', found[0])
