# SPDX-License-Identifier: Apache-2.0

"""Private databases, on servers of Debian's packages or in files.

The servers listen on a socket in their own folder only, and are stopped by
their process id.
"""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import sqlite3
import tempfile
import time

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

START_SECONDS = 60
STOP_SECONDS = 60


class Server:
    """A server that runs as long as the context lasts.

    :cvar name: what the command calls it
    :cvar package: Debian's package it comes from
    """

    name = package = pid = None
    _signal = signal.SIGTERM

    @classmethod
    def missing(cls):
        """Return what it lacks to run, a sentence, or None."""
        if cls._binary() is None:
            return '%s is not installed (apt-get install %s)' % (
                cls.name, cls.package)
        return None

    @contextlib.contextmanager
    def running(self):
        """Run it in a folder that is deleted afterwards.

        :raises VolopsError: it is not installed, or does not start
        """
        if missing := self.missing():
            raise exceptions.VolopsError(missing)
        # A socket's path may have 107 characters only.
        folder = pathlib.Path(tempfile.mkdtemp(prefix='volops-', dir='/tmp'))
        try:
            self.folder = folder
            self._make()
            with open(folder / 'log', 'w') as log, child.running(
                    self._command(), self._signal, STOP_SECONDS, stdout=log,
                    stderr=log, **self._as_user()) as process:
                self.pid = process.pid
                self._wait(process)
                yield self
        finally:
            shutil.rmtree(folder)

    def url(self, database=''):
        """Return SQLAlchemy's address of a database."""
        raise NotImplementedError

    def create(self, database):
        """Create a database."""
        self.execute('CREATE DATABASE %s' % database)

    def execute(self, *statements, database=''):
        """Execute SQL statements.

        :returns: what the client printed, a str
        """
        return self._run(*self._client(database),
                         input=';\n'.join(statements) + ';\n')

    def _as_user(self):
        return {}

    def _run(self, *argv, **kwargs):
        return child.run(argv, '%s failed:' % argv[0], **self._as_user(),
                         **kwargs).stdout.strip()

    def _wait(self, process):
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.execute('SELECT 1')
                return
            except exceptions.VolopsError:
                if (process.poll() is not None or
                        time.monotonic() > deadline):
                    raise exceptions.VolopsError(
                        '%s does not start; its log ends with\n%s' % (
                            self.name, child.tail(
                                (self.folder / 'log').read_text())))
                time.sleep(0.2)


class MariaDB(Server):
    """MariaDB with its own settings, but for a bigger cache.

    :param options: further options of the server, a list of str
    """

    name = 'mariadb'
    package = 'mariadb-server'

    def __init__(self, options=()):
        self._options = options

    @staticmethod
    def _binary():
        return shutil.which('mariadbd', path=os.environ.get('PATH', '') +
                            ':/usr/sbin')

    def url(self, database=''):
        return ('mysql+pymysql://%s@localhost/%s?unix_socket=%s&charset=utf8'
                % (self._user, database, self._socket))

    def _make(self):
        self._run('mariadb-install-db', '--no-defaults',
                  '--datadir=%s' % (self.folder / 'data'),
                  '--user=' + self._user, '--skip-test-db',
                  '--auth-root-authentication-method=normal')

    def _command(self):
        return [self._binary(), '--no-defaults', '--user=' + self._user,
                '--datadir=%s' % (self.folder / 'data'),
                '--socket=%s' % self._socket, '--skip-networking',
                '--pid-file=%s' % (self.folder / 'pid'),
                '--innodb-buffer-pool-size=512M',
                # Nova's longest keys do not fit in wider characters.
                '--character-set-server=utf8mb3', *self._options]

    def _client(self, database):
        return ['mariadb', '--no-defaults', '--user=' + self._user,
                '--socket=%s' % self._socket, '--batch',
                '--skip-column-names', *filter(None, [database])]

    @property
    def _socket(self):
        return self.folder / 'socket'

    _user = 'root'


class PostgreSQL(Server):
    """PostgreSQL with its own settings, but for a bigger cache."""

    name = 'postgresql'
    package = 'postgresql'
    # A fast shutdown: clients are disconnected.
    _signal = signal.SIGINT

    @staticmethod
    def _binary(name='postgres'):
        found = sorted(
            pathlib.Path('/usr/lib/postgresql').glob('*/bin/' + name),
            key=lambda path: float(path.parts[4]))
        return str(found[-1]) if found else None

    def url(self, database=''):
        return 'postgresql+psycopg2://postgres@/%s?host=%s' % (
            database or 'postgres', self.folder)

    def _as_user(self):
        # It refuses to run as root.
        if os.geteuid():
            return {}
        user = pwd.getpwnam('postgres')
        return {'user': user.pw_uid, 'group': user.pw_gid,
                'cwd': self.folder}

    def _make(self):
        if not os.geteuid():
            user = pwd.getpwnam('postgres')
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self._run(self._binary('initdb'), '--pgdata=%s' % (
            self.folder / 'data'), '--username=postgres', '--auth=trust',
            '--encoding=UTF8', '--locale=C.UTF-8')

    def _command(self):
        return [self._binary(), '-D', str(self.folder / 'data'),
                '-k', str(self.folder), '-c', 'listen_addresses=',
                '-c', 'shared_buffers=512MB', '-c', 'max_wal_size=2GB']

    def _client(self, database):
        return [self._binary('psql'), '--no-psqlrc', '--quiet',
                '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1',
                '--host=%s' % self.folder, '--username=postgres',
                '--dbname=' + (database or 'postgres')]


class SQLite:
    """Files in a folder, without a server.

    :ivar folder: where they are
    """

    name = 'sqlite'

    @classmethod
    def missing(cls):
        """Return None: Python has it."""

    @contextlib.contextmanager
    def running(self):
        """Have the folder, which is deleted afterwards."""
        with tempfile.TemporaryDirectory(prefix='volops-') as folder:
            self.folder = pathlib.Path(folder)
            yield self

    def url(self, database=''):
        """Return SQLAlchemy's address of a database."""
        return 'sqlite:///%s' % (self.folder / database)

    def create(self, database):
        """Do nothing: who opens a file makes it."""

    def execute(self, *statements, database=''):
        """Execute SQL statements."""
        with contextlib.closing(
                sqlite3.connect(self.folder / database)) as connection:
            connection.executescript(';\n'.join(statements) + ';\n')


SERVERS = {server.name: server for server in (MariaDB, PostgreSQL, SQLite)}
