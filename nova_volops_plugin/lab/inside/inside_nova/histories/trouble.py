# SPDX-License-Identifier: Apache-2.0

"""The faults of a request."""

import collections
import contextlib
import functools
import threading

import fixtures
from nova import exception
from nova.virt import libvirt
from oslo_log import log as logging
from oslo_messaging.rpc import client

from inside_nova.fault_matrix import calls
from inside_nova.histories import other_threads

LOG = logging.getLogger(__name__)

# When nothing has run for so long, it waits for what the request in progress
# holds.
RIVAL_SECONDS = 0.7
_POLLING_SECONDS = 0.02
# No request takes so long.
RIVAL_MOST_SECONDS = 30
# More than Nova tries again to reserve a volume, less than it waits for one.
LATE_SECONDS = 1

Trouble = collections.namedtuple(
    'Trouble', 'kind nth fault rival name', defaults=(None, None, None))
Trouble.__doc__ = """What goes wrong with a request.

:ivar kind: ``call``, Cinder fails; ``write``, the service that writes to a
    database stops; ``copy``, the one that copies a volume does; ``rival``,
    another request is handled before a call to Cinder; ``hold``, a message
    waits until later; ``late``, others are handled before it; ``lose``, one
    is lost with the service that has it; ``other-cinder``, another Cinder
    answers, which knows nothing; ``spawn``, no host can build a server the
    first time it tries, and the nth message is late; ``host``, a call to
    the hypervisor of :data:`host_faults.CALLS` fails; ``silent``, a request
    to a host gets no answer; or one of
    :data:`other_services.SERVICES`, which fails
:ivar nth: it hits the nth call, write or message, from 1
:ivar fault: the name of one of :data:`fault_matrix.calls.FAULTS` or CRASHES,
    or of :data:`other_services.FAULTS`
:ivar rival: the Operation that is handled in the middle, or None
:ivar name: count only the calls to Cinder of this name; None counts all
"""

REFUSALS = ('404', '409')
FAULTS = (*REFUSALS, '500', '503', 'timeout', 'lost')
# The calls of which a request makes fewer than of others.
NAMES = ('attachment_complete', 'attachment_create', 'attachment_update',
         'attachment_delete', 'attachment_get', 'attachment_get_all', 'get',
         'begin_detaching', 'reimage_volume', 'reimage_cast',
         'migrate_volume_completion')
# What says that a host was connected is saved by the first of them.
WRITES = ('sql-update(block_device_mapping)', 'sql-update(instances)')
CRASHES = tuple(calls.CRASHES)


class NumberedCalls(calls.Calls):
    """Gives the fault to a call by its number, whichever it is.

    :ivar hit: the name of the call or write that has had it, or None
    :ivar left: how many of them are missing until it is met
    """

    # A service may stop in any step.
    stops = True
    _active = False
    hit = None

    def begin_numbered(self, kind, nth, fault, name=None):
        self.begin(None, None)
        self._wanted_name = name
        self._active = True
        self._writes = kind == 'write'
        if not self._writes:
            self._crashes.on_write = None
        else:
            self._crashes.on_write = self._write
        self.left = nth
        self._fault_of_it = fault
        self.hit = None

    def fail_step(self, name, volume):
        """Return the error of a step within a call, or None.

        :param name: one of NAMES that is not a call
        """
        if not self._named:
            return None
        fault = self._name('%s(%s)' % (name, self._roles.get(volume, '')))
        if fault is None:
            return None
        if fault in calls.CRASHES:
            return self._crashes.stop()
        return calls._error(calls.FAULTS[fault][0])

    def _call_host(self, method, volume):
        # Messages have troubles of their own.
        return None

    @contextlib.contextmanager
    def suspended(self):
        """Inject nothing meanwhile."""
        named, on_write = self._named, self._crashes.on_write
        self._named, self._crashes.on_write = False, None
        try:
            yield
        finally:
            # A rival may end when the request it interrupted has ended.
            if self._active:
                self._named, self._crashes.on_write = named, on_write

    def pause(self):
        super().pause()
        self._active = False

    def _name(self, kind):
        super()._name(kind)
        if kind.startswith('sql-') != self._writes or self.fired:
            return None
        if self._wanted_name not in (None, kind, kind.partition('(')[0]):
            return None
        self.left -= 1
        if self.left:
            return None
        self.fired = True
        self.hit = self.names[-1]
        return self._fault_of_it


class Messages(fixtures.Fixture):
    """Lets a message wait or get lost.

    It is to be set up after :class:`embedded_nova.casts.WaitForCasts`.

    :ivar waiting: callables that deliver what waits, oldest first
    :ivar left: how many are missing until one has its trouble
    """

    def setUp(self):
        super().setUp()
        self.waiting = []
        self._late = self._dropped = None
        self.begin(None, 0)
        cast = client._BaseCallContext.cast

        def cast_or_not(context, ctxt, method, **kwargs):
            if method == self._dropped:
                return
            deliver = functools.partial(cast, context, ctxt, method, **kwargs)
            if context.target.fanout or not self._is_it():
                return deliver()
            self.fired = method
            if self._kind == 'late':
                self._late = threading.Timer(LATE_SECONDS, deliver)
                self._late.start()
            elif self._kind == 'hold':
                self.waiting.append(deliver)

        self.useFixture(fixtures.MonkeyPatch(
            'oslo_messaging.rpc.client._BaseCallContext.cast', cast_or_not))

    def begin(self, kind, nth):
        """Let the nth message from now on have a trouble.

        :param kind: ``hold``, ``late`` or ``lose``
        :param nth: from 1
        """
        self._kind, self.left, self.fired = kind, nth, None

    def pause(self):
        """Let no message from now on have trouble."""
        self._kind = None
        if self._late:
            self._late.join(RIVAL_MOST_SECONDS)
            self._late = None

    @contextlib.contextmanager
    def dropping(self, method):
        """Lose the messages of one kind meanwhile."""
        self._dropped = method
        try:
            yield
        finally:
            self._dropped = None

    def deliver(self):
        """Deliver all that waits."""
        while self.waiting:
            self.waiting.pop(0)()

    def _is_it(self):
        if self._kind is None or self.fired:
            return False
        self.left -= 1
        return not self.left


class Spawns(fixtures.Fixture):
    """Has no host build a server the first time it tries.

    :ivar fired: whether one could not
    """

    def setUp(self):
        super().setUp()
        self.pause()
        spawn = libvirt.LibvirtDriver.spawn

        def spawn_or_not(driver, context, instance, *args, **kwargs):
            if not self._active or instance.uuid in self._tried:
                return spawn(driver, context, instance, *args, **kwargs)
            self._tried.add(instance.uuid)
            self.fired = True
            raise exception.NovaException('the guest does not start')

        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.libvirt.LibvirtDriver.spawn', spawn_or_not))

    def begin(self):
        """Have the first spawn of each server fail from now on."""
        self._active, self._tried, self.fired = True, set(), False

    def pause(self):
        """Let all spawns succeed."""
        self._active = False


class StopInCopy:
    """Stops the service that copies a volume in the middle of that.

    :ivar started: whether it did
    """

    def __init__(self, crashes, contents):
        self._crashes = crashes
        self._contents = contents
        self.started = False

    def __enter__(self):
        self._in_copy = self._contents.in_copy
        self._contents.in_copy = self._stop
        return self

    def __exit__(self, *error):
        self._contents.in_copy = self._in_copy

    def _stop(self):
        self._contents.in_copy = self._in_copy
        self.started = True
        raise self._crashes.stop()


class Rival:
    """Has something done in the middle of something else.

    :param rules: the CinderStatusFixture, before whose nth call it is done
    :param nth: from 1; 0 stands for the middle of a copy
    :param contents: the :class:`contents.Contents`
    :param do: what is done, a callable without arguments
    :param begins: returns whether calls are counted yet
    :ivar left: how many calls are missing until it is done
    """

    def __init__(self, rules, contents, nth, do, begins):
        self._begins = begins
        self._rules = rules
        self._contents = contents
        self.left = nth
        self._do = do
        self._thread = None
        self._starting = threading.Lock()
        self._in_copy = None

    def __enter__(self):
        if self.left:
            self._rules.before_call = self._count
        else:
            self._in_copy = self._contents.in_copy
            self._contents.in_copy = self._start
        return self

    def __exit__(self, *error):
        self._rules.before_call = None
        if self._in_copy:
            self._contents.in_copy = self._in_copy
        # The service in whose middle it is done may be starting it.
        with self._starting:
            thread = self._thread
        if thread:
            # It may have waited for a lock of the request it interrupted.
            thread.join(RIVAL_MOST_SECONDS)
            if thread.is_alive():
                raise RuntimeError('a request in the middle of another one '
                                   'does not end')

    @property
    def started(self):
        return self._thread is not None

    def _count(self, name):
        if not self._begins():
            return
        self.left -= 1
        if not self.left:
            self._start()

    def _start(self):
        with self._starting:
            if self._thread:
                return
            if self._in_copy:
                self._in_copy()
            self._rules.before_call = None
            self._thread = threading.Thread(target=self._do)
            self._thread.start()
        waited = 0
        while self._thread.is_alive() and waited < RIVAL_SECONDS:
            self._thread.join(_POLLING_SECONDS)
            if not other_threads.run():
                waited += _POLLING_SECONDS
