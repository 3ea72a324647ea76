# SPDX-License-Identifier: Apache-2.0

"""Calls between the two processes, over sockets in a private folder.

Both ends are the same user's and start together, so what is sent is pickled.
"""

import importlib
import os
import pickle
import socket
import threading
import time

import oslo_messaging

CONNECT_SECONDS = 120


class Link:
    """One end: it answers calls, and calls the other end.

    :param folder: where the sockets are, readable by its owner only
    :param name: the name of this end
    :param peer: the name of the other end
    """

    def __init__(self, folder, name, peer):
        self._folder = folder
        self.turn_to(peer)
        self._own = os.path.join(folder, name)
        self._calls = {}

    def turn_to(self, peer):
        """Call an end of another name from now on."""
        self._peer = os.path.join(self._folder, peer)

    def serve(self, **calls):
        """Answer calls of these names from now on."""
        self._calls.update(calls)
        server = socket.socket(socket.AF_UNIX)
        server.bind(self._own + '.new')
        server.listen(50)
        threading.Thread(
            target=self._accept, args=(server,), daemon=True).start()
        os.rename(self._own + '.new', self._own)

    def _accept(self, server):
        while True:
            connection, _address = server.accept()
            threading.Thread(
                target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection, connection.makefile('rwb') as stream:
            name, args, kwargs = pickle.load(stream)
            try:
                answer = (None, self._calls[name](*args, **kwargs))
            except Exception as error:
                answer = (describe(error), None)
            pickle.dump(answer, stream)
            stream.flush()

    def wait(self):
        """Wait until the other end answers."""
        deadline = time.monotonic() + CONNECT_SECONDS
        while not os.path.exists(self._peer):
            if time.monotonic() > deadline:
                raise RuntimeError('%s does not start' % self._peer)
            time.sleep(0.1)

    def call(self, name, *args, **kwargs):
        """Call the other end; return its answer or raise its error."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self._peer)
        with connection, connection.makefile('rwb') as stream:
            pickle.dump((name, args, kwargs), stream)
            stream.flush()
            error, result = pickle.load(stream)
        if error:
            raise restored(*error)
        return result


def describe(error):
    """Return what :func:`restored` makes the error of again."""
    return (type(error).__module__, type(error).__name__, str(error),
            getattr(error, 'code', None))


def restored(module, name, message, code):
    """Return an error of the other release, or what stands for it.

    As with a real message, an error that this release does not have arrives
    as a RemoteError.
    """
    if module.startswith(('nova.', 'cinderclient.', 'oslo_', 'builtins')):
        kind = getattr(importlib.import_module(module), name, None)
        try:
            if module.startswith('cinderclient.'):
                return kind(code, message)
            return kind(message)
        except TypeError:
            pass
    return oslo_messaging.RemoteError(name, message)
