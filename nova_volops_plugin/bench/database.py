# SPDX-License-Identifier: Apache-2.0

"""A database server of the benchmark's own, for as long as it is needed."""

import contextlib
import pathlib
import shutil
import subprocess
import tempfile
import time

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

START_SECONDS = 120
STOP_SECONDS = 60
_SERVER = ('/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin')


def server():
    """Return the path of MariaDB's server, None when it is not installed."""
    return shutil.which('mariadbd', path=':'.join(_SERVER))


@contextlib.contextmanager
def mariadb(folder):
    """Run MariaDB; yield what makes SQLAlchemy's address of a database.

    It listens on a socket in a folder that nobody else may enter, and on no
    port. Its data are deleted in the end.

    :param folder: where its data go, a path
    :raises VolopsError: it does not start
    """
    with contextlib.ExitStack() as stack:
        # The path of a socket has to be a short one.
        private = pathlib.Path(stack.enter_context(
            tempfile.TemporaryDirectory(prefix='volops-db-')))
        data = pathlib.Path(stack.enter_context(
            tempfile.TemporaryDirectory(prefix='mariadb-', dir=folder)))
        log = stack.enter_context(open(data / 'log', 'w+'))
        options = ['--no-defaults', '--datadir=%s' % data]
        _install(options, log)
        process = stack.enter_context(child.running(
            [server(), *options, '--user=root', '--skip-networking',
             '--socket=%s' % (private / 'socket'),
             '--pid-file=%s' % (private / 'pid'),
             '--innodb-buffer-pool-size=256M',
             '--innodb-flush-log-at-trx-commit=2',
             # Nova's longest keys do not fit in wider characters.
             '--character-set-server=utf8mb3'],
            stop_seconds=STOP_SECONDS, stdout=log, stderr=log))
        _wait(process, private / 'socket', log)

        def address(name):
            _ask(private / 'socket',
                 'CREATE DATABASE IF NOT EXISTS %s' % name)
            # The name of it that older drivers know, too.
            return ('mysql+pymysql://root@localhost/%s?unix_socket=%s&'
                    'charset=utf8' % (name, private / 'socket'))

        yield address


def _install(options, log):
    done = subprocess.run(
        ['mariadb-install-db', *options, '--skip-test-db', '--user=root',
         '--auth-root-authentication-method=normal'],
        stdout=log, stderr=log, check=False)
    if done.returncode:
        raise _failure('cannot be set up', log)


def _ask(socket, statement):
    return subprocess.run(
        ['mariadb', '--no-defaults', '--user=root', '--socket=%s' % socket,
         '--execute', statement], capture_output=True, check=False
    ).returncode == 0


def _wait(process, socket, log):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if _ask(socket, 'SELECT 1'):
            return
        time.sleep(0.2)
    raise _failure('does not start', log)


def _failure(what, log):
    log.seek(0)
    return exceptions.VolopsError(
        'MariaDB %s; its log ends with\n%s' % (
            what, '\n'.join(log.read().splitlines()[-15:])))


def sqlite(folder):
    """Return what makes SQLAlchemy's address of a database in a file."""
    return lambda name: 'sqlite:///%s' % (folder / (name + '.sqlite'))
