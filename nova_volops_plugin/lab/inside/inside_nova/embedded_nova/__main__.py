# SPDX-License-Identifier: Apache-2.0

"""Run the cloud until the process ends.

Everything is in memory, so a signal may end the process at any moment; the
folder given with --state holds a lock as long as it lives.
"""

import argparse
import fcntl
import importlib
import json
import os
import secrets
import sys
import time

from inside_nova.embedded_nova import program

LOCK_SECONDS = 3


def _lock(folder):
    """Hold the folder's lock for the life of the process.

    Whoever looks whether the cloud runs holds the lock for a moment too.
    """
    lock = open(os.path.join(folder, 'lock'), 'w')
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                sys.exit('another embedded cloud runs in %s' % folder)
            time.sleep(0.05)


def _write(folder, name, content):
    path = os.path.join(folder, name)
    descriptor = os.open(
        path + '.new', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, 'w') as new:
        json.dump(content, new)
    os.replace(path + '.new', path)


def main():
    parser = argparse.ArgumentParser(prog='embedded_nova')
    parser.add_argument('--state', required=True, metavar='DIR')
    parser.add_argument('--hosts', type=int, default=1)
    parser.add_argument(
        '--label', type=json.loads, default={},
        help='what the one who starts the process wants to find again')
    parser.add_argument(
        '--extension', action='append', default=[], metavar='MODULE',
        help='a module whose extend(nova) returns more applications')
    args = parser.parse_args()
    lock = _lock(args.state)
    _write(args.state, 'process.json', dict(args.label, pid=os.getpid()))

    program.patch()
    from inside_nova.embedded_nova import frontend
    from inside_nova.embedded_nova import services

    nova = services.EmbeddedNova('runTest')
    nova.up(['compute%d' % number for number in range(1, args.hosts + 1)])
    passwords = {name: secrets.token_urlsafe(18) for name in ('admin', 'demo')}
    more_apps = {}
    for name in args.extension:
        more_apps.update(importlib.import_module(name).extend(nova))
    server = frontend.serve(nova, passwords, more_apps)
    _write(args.state, 'endpoint.json', {
        'auth_url': server.url + '/identity/v3', 'passwords': passwords,
        'url': server.url})
    try:
        server.serve_forever()
    finally:
        lock.close()


if __name__ == '__main__':
    program.run(main)
