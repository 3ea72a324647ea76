# SPDX-License-Identifier: Apache-2.0

"""Terminates processes that are not children of this one."""

import signal
import time

import psutil

KILL_SECONDS = 10
GONE_SECONDS = 5
POLL_SECONDS = 0.02


def end(processes, seconds):
    """Ask processes to end; kill those that have not after some seconds.

    :param processes: a list of :class:`psutil.Process`
    """
    _signal(processes, signal.SIGTERM)
    kill(_wait(processes, seconds))


def kill(processes):
    """Kill processes without asking, and wait until they have ended."""
    _signal(processes, signal.SIGKILL)
    _wait(processes, KILL_SECONDS)


def has_ended(process):
    """Whether a process does nothing any more.

    It may still be listed: see :func:`wait_until_gone`.
    """
    try:
        return (not process.is_running() or
                process.status() == psutil.STATUS_ZOMBIE and
                # They outlive it by a moment, with all that it held.
                process.num_threads() == 1)
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(processes):
    """Wait until processes that have ended are not even listed any more.

    Their parent, or the one that adopted them, may take its time to ask how
    they ended; a container's first process may never do. So the wait is short.
    """
    psutil.wait_procs(processes, timeout=GONE_SECONDS)


def _signal(processes, number):
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            pass


def _wait(processes, seconds):
    """Return those that have not ended after some seconds."""
    deadline = time.monotonic() + seconds
    while True:
        rest = [process for process in processes if not has_ended(process)]
        if not rest or time.monotonic() > deadline:
            return rest
        time.sleep(POLL_SECONDS)
