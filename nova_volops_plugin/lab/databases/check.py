# SPDX-License-Identifier: Apache-2.0

"""Migrates a database to the series and back."""

import logging
import re

from nova_volops_plugin.lab.databases import nova
from nova_volops_plugin.lab.databases import steps
from nova_volops_plugin.series import migrations

LOG = logging.getLogger(__name__)

DATABASE = 'nova_cell'
HOLD_SECONDS = 3

# Nova's own tests of models and migrations, on the server's kind.
TESTS = {'mariadb': 'MySQL', 'postgresql': 'PostgreSQL'}

# As released, Nova cannot archive servers on PostgreSQL: its table of archived
# ones has another type for a column.
ARCHIVED = {'mariadb': r'[1-9]',
            'postgresql': r'DBError: .*DatatypeMismatch\) column "locked_by"'}


def roll_back(base):
    """Return the statements that take the series out of a cell's database.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    """
    return (
        "UPDATE alembic_version SET version_num = '%s' WHERE "
        "version_num = '%s'" % migrations.ends(base),
        'ALTER TABLE block_device_mapping DROP COLUMN attach_mode',
        'ALTER TABLE shadow_block_device_mapping DROP COLUMN attach_mode')


class Check:
    """The steps on one server.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param server: a running :class:`servers.Server`
    """

    def __init__(self, state, base, server):
        self._base = base
        self._server = server
        self._novas = {patched: nova.Nova(state, base, patched)
                       for patched in (True, False)}

    def run(self, rows, tests=True):
        """Yield each :class:`steps.Step` as it ends.

        :param rows: the number of block devices
        :param tests: whether Nova's own migration tests are run too
        """
        released, series = migrations.ends(self._base)
        yield self._step('schema of the release', released, False, 'sync')
        self._fill(rows)
        service = self._step('service of the release', r'\d+$', False,
                             'service')
        yield service
        version = service.found + '$'
        yield self._step('migrate while others read and write', _MIGRATED,
                         True, 'upgrade')
        yield self._step('service of the series', version, True, 'service')
        yield self._step('block devices of the series', r'\d+', True, 'rows')
        yield self._step('block devices of the release, series\' schema',
                         r'\d+', False, 'rows')
        yield self._step('archive by the release, series\' schema',
                         ARCHIVED[self._server.name], False, 'archive')
        yield self._step(
            'migrate by the release', '.*locate revision.*' + series, False,
            'sync')
        yield self._step('start a service of the release', version, False,
                         'service')
        self._roll_back()
        yield self._step('migrate by the release, rolled back', released,
                         False, 'sync')
        yield self._step('start a service of the release, rolled back',
                         version, False, 'service')
        yield self._step('block devices of the release, rolled back',
                         r'\d+', False, 'rows')
        yield self._step(
            'migrate again behind a transaction of %d s' % HOLD_SECONDS,
            _MIGRATED, True, 'upgrade', '--hold', str(HOLD_SECONDS))
        if tests:
            yield self._nova_tests()

    def _fill(self, rows):
        LOG.info('making %d block devices', rows)
        self._novas[False].python(
            '-m', 'inside_nova.database_check', '--rows', str(rows), 'fill',
            self._server.url(DATABASE), failure='they are not made:')

    def _roll_back(self):
        LOG.info('rolling back')
        self._server.execute(*roll_back(self._base), database=DATABASE)

    def _step(self, name, wanted, patched, *words):
        LOG.info('%s', name)
        result, error = self._novas[patched].check(
            *words, self._server.url(DATABASE))
        found = error or result
        if isinstance(found, dict):
            found = ', '.join('%s: %s' % item for item in found.items())
        return steps.Step(name, str(wanted), str(found))

    def _nova_tests(self):
        kind = TESTS[self._server.name]
        LOG.info('Nova\'s own migration tests on %s', kind)
        done = self._novas[True].python(
            '-m', 'testtools.run', *(
                'nova.tests.unit.db.main.test_migrations.%s%s' % (name, kind)
                for name in ('TestModelsSync', 'TestMigrationsWalk')),
            OS_TEST_DBAPI_ADMIN_CONNECTION=self._server.url(),
            OS_TEST_TIMEOUT='600')
        said = (done.stdout + done.stderr).strip().splitlines()
        counts = [line for line in said if re.match('Ran |OK|FAILED', line)]
        return steps.Step('Nova\'s own tests of models and migrations',
                          r'Ran [1-9]\d* tests? in [\d.]+s, OK$',
                          ', '.join(counts) or ' '.join(said[-3:]))


_MIGRATED = r'seconds: .*errors: \[\], version: '
