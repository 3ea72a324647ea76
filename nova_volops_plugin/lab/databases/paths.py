# SPDX-License-Identifier: Apache-2.0

"""Upgrades databases of every base to the last patched schema."""

import logging

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.lab.databases import nova
from nova_volops_plugin.lab.databases import steps
from nova_volops_plugin.series import migrations

LOG = logging.getLogger(__name__)

TABLES = 'block_device_mapping', 'shadow_block_device_mapping'
AS_NEW = 'as a new one, again nothing'


def take_over(base):
    """Return the statement for a database that the former series made.

    :param base: the :class:`nova_volops_plugin.bases.base.Base` whose
        migrations the database has
    """
    return ("UPDATE alembic_version SET version_num = '%s' WHERE "
            "version_num = '%s'" % (
                migrations.ends(base)[1], migrations.FORMER))


def former(base):
    """Return what the former series' migration did to a released schema."""
    return (*('ALTER TABLE %s ADD COLUMN attach_mode VARCHAR(2)' % table
              for table in TABLES),
            "UPDATE alembic_version SET version_num = '%s' WHERE "
            "version_num = '%s'" % (
                migrations.FORMER, migrations.ends(base)[0]))


class Paths:
    """The steps on one server.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: the :class:`nova_volops_plugin.bases.base.Base` that the
        databases are taken to
    :param server: a running :class:`servers.Server`
    """

    def __init__(self, state, base, server):
        self._target = base
        self._bases = [*sorted(
            (each for each in nova_base.load_all()
             if each.release < base.release),
            key=lambda each: each.release), base]
        self._novas = {
            (each, patched): nova.Nova(state, each, patched)
            for each in self._bases for patched in (True, False)}
        self._server = server
        self._number = 0
        self._new = None
        self._end = migrations.ends(base)[1]

    def run(self):
        """Yield each :class:`steps.Step` as it ends."""
        yield self._sync('new database', self._create())
        for base in self._bases:
            yield self._from('released %s' % base.name,
                             self._create(base, False))
            if base != self._target:
                yield self._from('patched %s' % base.name,
                                 self._create(base, True))
            yield from self._former(base)

    def _create(self, base=None, patched=False):
        """Make a database, with the schema of a Nova; return its name."""
        self._number += 1
        name = 'nova_path_%d' % self._number
        self._server.create(name)
        if base:
            LOG.info('making a database by the %s %s',
                     'patched' if patched else 'released', base.name)
            self._novas[base, patched].sync(self._server.url(name))
        return name

    def _from(self, what, database):
        return self._sync('database of the %s' % what, database)

    def _former(self, base):
        name = 'former database of %s' % base.name
        database = self._create(base, False)
        self._server.execute(*former(base), database=database)
        before = self._describe(base, database)
        refused = self._novas[self._target, True].sync(
            self._server.url(database))
        same = self._describe(base, database) == before
        yield steps.Step(
            name,
            r".*Can't locate revision identified by '%s', unchanged$" %
            migrations.FORMER,
            '%s, %s' % (refused or 'it is migrated',
                        'unchanged' if same else 'changed'))
        self._server.execute(take_over(base), database=database)
        yield self._sync(name + ', taken over', database)

    def _describe(self, base, database):
        return self._novas[base, False].check(
            'describe', self._server.url(database))

    def _sync(self, name, database):
        """Migrate a database, look at its schema, and migrate it again."""
        LOG.info('%s', name)
        target = self._novas[self._target, True]
        url = self._server.url(database)
        failed = target.sync(url)
        if failed:
            return steps.Step(name, self._end, failed)
        found, error = target.check('again', url)
        return steps.Step(name, '%s, %s$' % (self._end, AS_NEW),
                          error or self._compare(found))

    def _compare(self, found):
        """Return a sentence about a database, and keep the first schema."""
        if self._new is None:
            self._new = found['schema']
        return compare(found, self._new)


def compare(found, new):
    """Return a sentence about a database that was migrated.

    :param found: what ``database_check again`` gave
    :param new: the schema of a new database
    """
    schema = found['schema']
    others = sorted(table for table in {*schema, *new}
                    if schema.get(table) != new.get(table))
    if others:
        result = 'other tables than a new one: ' + ', '.join(others)
    else:
        result = 'as a new one'
    again = 'again nothing'
    if found['run'] or found['changed']:
        again = 'again %d more%s' % (
            found['run'], ' and changed' * found['changed'])
    return '%s, %s, %s' % (found['version'], result, again)
