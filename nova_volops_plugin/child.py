# SPDX-License-Identifier: Apache-2.0

"""Child processes that end with their parent."""

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import threading

from nova_volops_plugin import exceptions

LAST_LINES = 15
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


def run(command, failure=None, input=None, **kwargs):
    """Run a command to its end.

    :param command: its words, a sequence of str and paths
    :param failure: what an error begins with; without it the caller looks at
        the exit code
    :param input: what it reads, a str
    :param kwargs: those of :func:`running`
    :returns: a :class:`subprocess.CompletedProcess`, output as str
    :raises VolopsError: it fails; the last lines that it printed are told
    """
    words = [os.fspath(word) for word in command]
    if input is not None:
        kwargs['stdin'] = subprocess.PIPE
    with running(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                 text=True, errors='replace', **kwargs) as process:
        out, err = process.communicate(input)
    if failure and process.returncode:
        raise exceptions.VolopsError('%s\n%s' % (failure, tail(out + err)))
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def run_together(commands, failure, **kwargs):
    """Run commands at the same time, to their ends.

    :param commands: a list of them, each as for :func:`run`
    :param failure: what an error begins with
    :param kwargs: those of :func:`running`
    :raises VolopsError: one fails; the last lines that it printed are told
    """
    with contextlib.ExitStack() as stack:
        started = []
        for command in commands:
            output = stack.enter_context(tempfile.TemporaryFile())
            started.append((output, stack.enter_context(running(
                [os.fspath(word) for word in command], stdout=output,
                stderr=subprocess.STDOUT, **kwargs))))
        for output, process in started:
            if process.wait():
                output.seek(0)
                raise exceptions.VolopsError('%s\n%s' % (
                    failure, tail(output.read().decode(errors='replace'))))


def tail(text, lines=LAST_LINES):
    """Return the last lines of a text."""
    return '\n'.join(text.splitlines()[-lines:])


def _end(process, stop_signal, stop_seconds):
    if process.poll() is None:
        os.killpg(process.pid, stop_signal)
        try:
            process.wait(stop_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


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
