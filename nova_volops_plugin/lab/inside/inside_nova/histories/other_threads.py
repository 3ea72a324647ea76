# SPDX-License-Identifier: Apache-2.0

"""Whether other threads of this process are running."""

import contextlib
import pathlib
import threading


def run():
    """Return whether one runs, or would on a machine that is not busy.

    Threads that wake up only to see that there is no work do not count, nor
    do those of eventlet, which share the caller's and run while it waits.
    """
    return any(
        _native_id(thread) not in (None, threading.get_native_id()) and
        not _waits_for_work(thread) and _state(thread) in ('R', 'D')
        for thread in threading.enumerate())


def _native_id(thread):
    # Those of eventlet 0.40 and later have none.
    return getattr(thread, 'native_id', None)


def _waits_for_work(thread):
    # A worker of futurist says so. A listener of the fake driver of
    # oslo.messaging hands over what it hears to workers.
    return getattr(thread, 'idle', False) or thread.name.endswith('(_runner)')


def _state(thread):
    path = pathlib.Path('/proc/self/task/%s/stat' % _native_id(thread))
    with contextlib.suppress(OSError):
        # The name before it may have any characters.
        return path.read_text().rpartition(') ')[2][:1]
