# SPDX-License-Identifier: Apache-2.0

"""Runs the migration during concurrent reads and writes."""

import statistics
import threading
import time

from nova.db import migration
import sqlalchemy as sa

BEFORE_SECONDS = 2
AFTER_SECONDS = 1
START_SECONDS = 60

WRITE = sa.text(
    "UPDATE block_device_mapping SET updated_at = :now WHERE id = :row")
READ = sa.text(
    'SELECT id, volume_id, connection_info FROM block_device_mapping '
    'WHERE id = :row')


class Client(threading.Thread):
    """Makes one short transaction after the other, and times each.

    :ivar waits: pairs of the time a transaction began and its seconds
    :ivar errors: the transactions that failed, a list of str
    """

    def __init__(self, url, statement, rows):
        super().__init__(daemon=True)
        self._engine = sa.create_engine(url)
        self._statement = statement
        self._rows = rows
        self._ended = threading.Event()
        self._works = threading.Event()
        self.waits = []
        self.errors = []

    def run(self):
        row = 0
        with self._engine.connect() as connection:
            while not self._ended.is_set():
                row = row * 1103515245 % self._rows + 1
                began = time.monotonic()
                try:
                    with connection.begin():
                        connection.execute(self._statement, {
                            'row': row, 'now': '2026-01-01 00:00:00'})
                except Exception as error:
                    self.errors.append(str(error)[:200])
                self.waits.append((began, time.monotonic() - began))
                self._works.set()
                # A client that never pauses measures the machine.
                time.sleep(0.002)

    def start(self):
        """Return when the first transaction has ended."""
        super().start()
        self._works.wait(START_SECONDS)

    def end(self):
        self._ended.set()
        self.join()

    def longest(self, since):
        """Return the longest wait of those that ended since, in seconds."""
        return max(seconds for began, seconds in self.waits
                   if began + seconds >= since)

    def usual(self, until):
        """Return the median wait of those until then, in seconds."""
        return statistics.median(
            seconds for began, seconds in self.waits if began < until)


def upgrade(url, hold):
    """Migrate to the newest schema of this tree.

    :param url: SQLAlchemy's address of the database
    :param hold: seconds that a transaction which has read the table is open
        when the migration begins
    :returns: a dict of seconds and of counts
    """
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        rows = connection.execute(sa.text(
            'SELECT max(id) FROM block_device_mapping')).scalar()
    clients = [Client(url, statement, rows) for statement in (WRITE, READ)]
    for client in clients:
        client.start()
    holder = _hold(engine, hold)
    time.sleep(BEFORE_SECONDS if not hold else 0.5)
    began = time.monotonic()
    migration.db_sync(database='main')
    seconds = time.monotonic() - began
    time.sleep(AFTER_SECONDS)
    for client in clients:
        client.end()
    if holder:
        holder.join()
    writer, reader = clients
    return {
        'seconds': round(seconds, 3),
        'longest write': round(writer.longest(began), 3),
        'usual write': round(writer.usual(began), 4),
        'longest read': round(reader.longest(began), 3),
        'usual read': round(reader.usual(began), 4),
        'writes': len(writer.waits), 'reads': len(reader.waits),
        'errors': writer.errors + reader.errors,
        'version': migration.db_version(),
    }


def _hold(engine, seconds):
    if not seconds:
        return None
    started = threading.Event()

    def hold():
        with engine.connect() as connection, connection.begin():
            connection.execute(READ, {'row': 1}).all()
            started.set()
            time.sleep(seconds)

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    started.wait()
    return thread
