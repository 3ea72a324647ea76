# SPDX-License-Identifier: Apache-2.0

"""The units of a cloud: services that run, and steps that run once."""

import abc
import os
import pathlib
import socket
import subprocess
import time

import requests

from nova_volops_plugin.cloud import base
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud import termination
from nova_volops_plugin import exceptions

# What runs inside other programs' interpreters, or in a guest.
DATA = pathlib.Path(__file__).with_name('data')

# A machine with two busy cores takes a fifth of this.
READY_SECONDS = 300


class NotReady(Exception):
    """A service does not answer yet; the message says what is missing."""


class Unit(abc.ABC):
    """A part of the cloud with a name and the parts it needs.

    :param layout: a :class:`layout.Layout`
    :cvar name: the unit's name
    :cvar requires: the names of the units that must be up before it starts
    """

    name = None
    requires = ()

    def __init__(self, layout):
        self.layout = layout

    @abc.abstractmethod
    def up(self, cancelled):
        """Start it, or do it; nothing happens when that is done already.

        :param cancelled: a :class:`threading.Event` that ends the waiting
        """

    def run(self, *argv, environ=(), **kwargs):
        """Run a command to its end, with its words in the unit's log.

        :raises VolopsError: it failed
        """
        with open(self.layout.log(self.name), 'ab') as log:
            os.chmod(log.fileno(), 0o600)
            done = subprocess.run(
                [os.fspath(word) for word in argv],
                env=processes.clean_environ(self.layout, self.name, environ),
                stdin=subprocess.DEVNULL if 'input' not in kwargs else None,
                stdout=log, stderr=log, cwd='/', check=False, **kwargs)
        if done.returncode:
            raise exceptions.VolopsError(
                '%s: %s ended with %d; see %s' % (
                    self.name, argv[0], done.returncode,
                    self.layout.log(self.name)))


class Step(Unit):
    """Something done once in the life of a cloud's state.

    :cvar of_variant: True when each Nova needs it once more
    """

    of_variant = False

    @property
    def _done(self):
        folder = (self.layout.of_variant if self.of_variant
                  else self.layout.folder)
        return folder('done') / self.name

    def up(self, cancelled):
        key = self.key()
        try:
            done = self._done.read_text() == key
        except FileNotFoundError:
            done = False
        if not done:
            self.do()
            self._done.write_text(key)

    def key(self):
        """Return what it is done for, str; for another one it is redone."""
        return ''

    @abc.abstractmethod
    def do(self):
        """Do it; may find the half of an earlier attempt."""


class Service(Unit):
    """A process that answers.

    :cvar stop_seconds: how long it gets to end before it is killed
    :cvar poll_seconds: between two questions; more where asking is work
    """

    stop_seconds = 20
    poll_seconds = 0.3

    def prepare(self):
        """Write what it needs to start, if anything; it may be there."""

    @abc.abstractmethod
    def command(self):
        """Return its argv, a list."""

    @abc.abstractmethod
    def check(self):
        """Return the address it answers on.

        :raises NotReady: it does not answer
        """

    def look(self):
        """Look whether those that require it can be started.

        :returns: as :meth:`check` does
        :raises NotReady: they cannot yet
        """
        return self.check()

    def environ(self):
        """Return what to set in its environment, a dict of str."""
        return {}

    def up(self, cancelled):
        if not processes.find(self.layout, self.name):
            # What a killed service left behind may hold its sockets.
            termination.end(processes.every(self.layout, self.name), 5)
            self.prepare()
            processes.start(
                self.layout, self.name, self.command(), self.environ())
        self.wait(cancelled)

    def wait(self, cancelled):
        """Wait for its answer.

        :raises VolopsError: it ended, or did not answer in time
        """
        deadline = time.monotonic() + READY_SECONDS
        missing = 0
        while True:
            # While a process changes its program it has no environment.
            alive = processes.find(self.layout, self.name)
            missing = 0 if alive else missing + 1
            try:
                return self.look()
            except NotReady as error:
                reason = str(error)
            if missing > 3:
                raise exceptions.VolopsError(
                    '%s ended while starting; see %s' %
                    (self.name, self.layout.log(self.name)))
            if time.monotonic() > deadline:
                raise exceptions.VolopsError(
                    '%s did not get ready in %d seconds: %s; see %s' %
                    (self.name, READY_SECONDS, reason,
                     self.layout.log(self.name)))
            if cancelled.wait(self.poll_seconds):
                raise exceptions.VolopsError('%s: cancelled' % self.name)

    def down(self):
        """End it; nothing happens when it does not run."""
        processes.stop(self.layout, self.name, self.stop_seconds)

    def status(self):
        """Return its :class:`nova_volops_plugin.cloud.base.ServiceStatus`."""
        process = processes.find(self.layout, self.name)
        if not process:
            return base.ServiceStatus(self.name, 'down')
        try:
            return base.ServiceStatus(
                self.name, 'up', process.pid, self.check())
        except NotReady as error:
            return base.ServiceStatus(
                self.name, 'failed', process.pid, str(error))


def answer(url):
    """Ask an API's address, which any answer below 500 satisfies.

    :returns: the address
    :raises NotReady: there is no such answer
    """
    try:
        code = requests.get(url, timeout=5).status_code
    except requests.RequestException as error:
        raise NotReady('%s: %s' % (url, error))
    if code >= 500:
        raise NotReady('%s answers %d' % (url, code))
    return url


def ask(argv, timeout=10):
    """Run a command whose success is the answer waited for.

    :returns: what it printed, str
    :raises NotReady: it failed or took longer than the timeout's seconds
    """
    try:
        return subprocess.run(
            [os.fspath(word) for word in argv], timeout=timeout,
            capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        words = getattr(error, 'stderr', None) or str(error)
        if isinstance(words, bytes):
            words = words.decode(errors='replace')
        raise NotReady(' '.join(words.split())[-200:])


def greet(port, words, reply):
    """Say something on a port and wait for the beginning of the reply.

    :param words: what to say, bytes
    :param reply: what a reply begins with, bytes
    :returns: the address
    :raises NotReady: there is no such reply
    """
    address = (layout.ADDRESS, port)
    try:
        with socket.create_connection(address, timeout=2) as connection:
            connection.sendall(words)
            said = connection.recv(len(reply))
    except OSError as error:
        raise NotReady('port %d: %s' % (port, error))
    if said != reply:
        raise NotReady('port %d answers %r' % (port, said))
    return '%s:%d' % address
