# SPDX-License-Identifier: Apache-2.0

"""The ledger: counts by the request that caused them."""

import collections
import threading
import time

KINDS = ('sql', 'rpc', 'cinder', 'refused', 'placement')


class Entry:
    """What one request has cost so far.

    All times are seconds of one clock whose zero means nothing.

    :ivar counts: by each of KINDS a Counter of names
    :ivar began: when the first thing was noted
    :ivar answered: when the API had answered, or None
    :ivar api_cinder: how often Cinder had been called until then
    :ivar last: when the last thing was noted
    :ivar running: how many threads work on it, as far as is known
    :ivar processor_began: what the process had used of the processor when it
        began; so is ``processor_last``
    """

    def __init__(self):
        self.counts = {kind: collections.Counter() for kind in KINDS}
        self.began = self.last = time.monotonic()
        self.processor_began = self.processor_last = time.process_time()
        self.answered = None
        self.api_cinder = 0
        self.running = 0

    def view(self):
        """Return it as a dict that JSON knows."""
        return dict(vars(self), counts=self.counts)


class Ledger:
    """Entries by request id.

    :ivar cinder_seconds: how long each call to Cinder takes, a float
    :ivar events: whether Cinder's events arrive
    """

    def __init__(self):
        self.cinder_seconds = 0.0
        self.events = True
        self._entries = collections.defaultdict(Entry)
        self._guests = collections.defaultdict(list)
        self._lock = threading.Lock()

    def note(self, request, kind=None, name=None):
        """Note one thing, or only that something went on."""
        with self._lock:
            entry = self._entries[request]
            entry.last = time.monotonic()
            entry.processor_last = time.process_time()
            if kind:
                entry.counts[kind][name] += 1

    def enter(self, request, by=1):
        """Note that a thread begins, or with -1 ends, to work on a request."""
        self.note(request)
        with self._lock:
            self._entries[request].running += by

    def answer(self, request, began, processor_began):
        """Note that the API has answered a request.

        :param began: when it arrived
        :param processor_began: what the processor had been used until then
        """
        self.note(request)
        with self._lock:
            entry = self._entries[request]
            entry.began = began
            entry.processor_began = processor_began
            entry.answered = entry.last
            entry.api_cinder = sum(entry.counts['cinder'].values())

    def note_guest(self, server, what):
        """Note what becomes of the guest of a server."""
        with self._lock:
            self._guests[server].append((what, time.monotonic()))

    def view(self, request):
        """Return the entry of a request as a dict, None if there is none."""
        with self._lock:
            entry = self._entries.get(request)
            return entry and entry.view()

    def guest(self, server):
        """Return what became of a guest, a list of pairs with the time."""
        with self._lock:
            return list(self._guests.get(server, ()))
