# SPDX-License-Identifier: Apache-2.0

"""Reads a database's schema, and whether a migration is pending."""

import logging

from nova.db.main import api as main_db
from nova.db import migration
import sqlalchemy as sa


def again():
    """Migrate to the newest schema of this tree where that has been done.

    :returns: a dict of the last revision, the number of those that were run,
        whether the schema changed, and the schema
    """
    before = describe()
    counter = _Counter()
    log = logging.getLogger('alembic.runtime.migration')
    log.setLevel(logging.INFO)
    log.addHandler(counter)
    migration.db_sync(database='main')
    after = describe()
    return {'version': migration.db_version(), 'run': counter.number,
            'changed': before != after, 'schema': after}


def describe():
    """Return the schema, a dict of table and of what it has.

    The order of columns is none of it: it is that of their migrations.
    """
    with main_db.get_engine().connect() as connection:
        inspector = sa.inspect(connection)
        return {table: {
            'columns': _sorted(
                (column['name'],
                 column['type'].compile(dialect=connection.dialect),
                 column['nullable'], str(column['default']))
                for column in inspector.get_columns(table)),
            'key': inspector.get_pk_constraint(
                table)['constrained_columns'],
            'indexes': _sorted(
                (index['name'], index['column_names'], bool(index['unique']))
                for index in inspector.get_indexes(table)),
            'unique': _sorted(
                (unique['name'], unique['column_names'])
                for unique in inspector.get_unique_constraints(table)),
            'foreign': _sorted(
                (key['constrained_columns'], key['referred_table'],
                 key['referred_columns'])
                for key in inspector.get_foreign_keys(table)),
        } for table in inspector.get_table_names()}


def _sorted(rows):
    return sorted((list(row) for row in rows), key=str)


class _Counter(logging.Handler):
    """Counts the revisions that alembic says it runs."""

    number = 0

    def emit(self, record):
        self.number += record.getMessage().startswith('Running ')
