# SPDX-License-Identifier: Apache-2.0

"""Processes that live no longer than what started them."""

import contextlib
import os
import resource
import signal
import subprocess
import threading

STOP_SECONDS = 10
STOPPED_BY = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def running(command, stop_signal=signal.SIGTERM, stop_seconds=STOP_SECONDS,
            **kwargs):
    """Run a command, with all it starts, while the context lasts.

    It has a session of its own: Ctrl-C is for the one who started it, who
    stops it then.

    :param command: a list of str
    :param stop_signal: what asks it to end
    :param stop_seconds: how long it may take to, an int; then it is killed
    :param kwargs: those of :class:`subprocess.Popen`
    :returns: a context that gives the :class:`subprocess.Popen`
    """
    kwargs.setdefault('stdin', subprocess.DEVNULL)
    with contextlib.ExitStack() as stack:
        with _held():
            process = subprocess.Popen(
                command, start_new_session=True, **kwargs)
            stack.callback(_end, process, stop_signal, stop_seconds)
        yield process


def processor_seconds():
    """Return what the processes that this one has waited for have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _end(process, stop_signal, stop_seconds):
    if process.poll() is None:
        os.killpg(process.pid, stop_signal)
        try:
            process.wait(stop_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.stdout:
        process.stdout.close()


@contextlib.contextmanager
def _held():
    """Heed the signals that end a command when the context is left.

    Inside of subprocess there is nobody yet who could stop what it started.
    """
    if threading.current_thread() is not threading.main_thread():
        # Python hands signals to the main thread alone.
        yield
        return
    caught = []
    handlers = {
        each: signal.signal(each, lambda number, _: caught.append(number))
        for each in STOPPED_BY if callable(signal.getsignal(each))}
    try:
        yield
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
    for number in caught[:1]:
        handlers[number](number, None)
