# SPDX-License-Identifier: Apache-2.0

"""Processes that outlive the command that starts them.

A process is ours when its environment says so, not because a file holds its
number: numbers are used again, files outlive crashes, and what a service
forks has no file at all.
"""

import os
import subprocess
import time

import psutil

from nova_volops_plugin.cloud import termination
from nova_volops_plugin import exceptions

MARK = 'NOVA_VOLOPS_PROCESS'

# The shell notes its number before it becomes the service, so that even a
# killed 'up' leaves no process without a note.
_NOTE = 'umask 077; echo $$ >"$1.part" && mv "$1.part" "$1" && shift && ' \
    'exec "$@"'


def start(layout, name, argv, environ):
    """Start a service that goes on without this process.

    :param layout: a :class:`layout.Layout`
    :param name: the service's name
    :param argv: its command, a list
    :param environ: what to set in its environment, a dict of str
    :raises VolopsError: the command could not be started
    """
    note = _note(layout, name)
    note.unlink(missing_ok=True)
    with open(layout.log(name), 'ab') as log:
        os.chmod(log.fileno(), 0o600)
        subprocess.run(
            ['setsid', '--fork', '/bin/sh', '-c', _NOTE, 'sh', note] +
            [os.fspath(word) for word in argv],
            env=clean_environ(layout, name, environ), cwd='/', check=True,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    deadline = time.monotonic() + 10
    while not note.exists():
        if time.monotonic() > deadline:
            raise exceptions.VolopsError(
                '%s could not be started; see %s' % (name, layout.log(name)))
        time.sleep(0.01)


def clean_environ(layout, name, environ=()):
    """Return an environment that holds nothing of the user's but PATH."""
    return {
        'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:'
                '/bin',
        'HOME': str(layout.folder('home')),
        'LC_ALL': 'C.UTF-8',
        'PYTHONDONTWRITEBYTECODE': '1',
        # A process's new title would be written over its environment.
        'SPT_NOENV': '1',
        MARK: _mark(layout, name),
        **dict(environ)}


def find(layout, name):
    """Return a service's running :class:`psutil.Process`, None without."""
    try:
        process = psutil.Process(int(_note(layout, name).read_text()))
        if _marked(process) == _mark(layout, name):
            return process
    except (OSError, ValueError, psutil.Error):
        pass
    return None


def every(layout, name=None):
    """Return all running processes of a service, or of the whole cloud."""
    mark = _mark(layout, name or '')
    found = []
    for process in psutil.process_iter():
        value = _marked(process)
        if value and (value == mark or not name and value.startswith(mark)):
            found.append(process)
    return found


def stop(layout, name, seconds=20):
    """End a service and whatever it forked; nothing happens without one.

    :param seconds: how long it has before it is killed
    """
    main = find(layout, name)
    if main:
        termination.end([main], seconds)
    termination.end(every(layout, name), 2)
    _note(layout, name).unlink(missing_ok=True)


def kill(layout, name):
    """Kill a service and whatever it forked, without asking."""
    termination.kill(every(layout, name))


def _marked(process):
    try:
        if not termination.has_ended(process):
            return process.environ().get(MARK)
    except (OSError, psutil.Error):
        pass
    return None


def _mark(layout, name):
    return '%s:%s' % (layout.root, name)


def _note(layout, name):
    return layout.folder('run') / (name + '.pid')
