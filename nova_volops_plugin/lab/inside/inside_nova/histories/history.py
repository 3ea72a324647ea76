# SPDX-License-Identifier: Apache-2.0

"""One history: its requests, its faults and its findings."""

import contextlib
import itertools
import time

from oslo_log import log as logging

from inside_nova.fault_matrix import case
from inside_nova.fault_matrix import cloud
from inside_nova.fault_matrix import crash
from inside_nova.histories import disks
from inside_nova.histories import injections
from inside_nova.histories import model
from inside_nova.histories import operations
from inside_nova.histories import others
from inside_nova.histories import past
from inside_nova.histories import record
from inside_nova.histories import rows
from inside_nova.histories import tampering
from inside_nova.histories import trouble
from inside_nova.histories import watching

LOG = logging.getLogger(__name__)

# Longer than the cloud has a re-image take at most.
REIMAGE_SECONDS = 10
# Seconds of the processor after which a server is taken not to get idle.
HANGS, KNOWN_TO_HANG = 1, 0.1


class History(case.Case):
    """A history while it is made.

    :param nova: a :class:`cloud.HistoryNova`

    :ivar record: the :class:`record.Record` of what was done and found
    :ivar past: a :class:`past.Past`, of what went wrong
    :ivar rows: the :class:`rows.Rows` of Nova's databases
    :ivar tampering: a :class:`tampering.Tampering`
    :ivar others: the :class:`others.Others` who have volumes
    :ivar model: the :class:`model.Model`
    :ivar deleted: the UUIDs of servers whose deletion was accepted
    :ivar injecting: whether anything is injected into this step
    :ivar seen: what was wrong during this step, a set of kind and text
    :ivar before: what there was before this step
    """

    def __init__(self, nova):
        super().__init__(nova)
        self.calls = trouble.NumberedCalls(
            nova.rules, self.roles, nova.crashes, nova.host_calls,
            with_writes=True)
        nova.rules.calls = self.calls
        self.record = record.Record()
        self.past = past.Past()
        self.rows = rows.Rows(nova.cells)
        self.tampering = tampering.Tampering(self)
        self.others = others.Others(self)
        self.model = model.Model()
        self._servers = []
        self._numbers = itertools.count()
        self._requests = []
        self.deleted = set()
        self._hung = None
        self.injecting = False
        self.seen = set()
        # Guests go on writing while their volumes are copied.
        nova.contents.in_copy = self.write
        for number in range(3):
            self.volume('volume%d' % number, size=2)
        self.volume('shared', size=2, multiattach=True)
        self._volumes = list(self.volumes.values())

    # Who is who.

    def server(self, number):
        """Return the UUID of a server that is there, or None."""
        alive = self.alive()
        return alive[number % len(alive)] if alive else None

    def alive(self):
        """Return the UUIDs of the servers that are there, oldest first."""
        states = self.rows.states()
        return [server for server in self._servers if server in states]

    def volume_of(self, number):
        """Return the UUID of a volume."""
        return self._volumes[number % len(self._volumes)]

    def volume_number(self, volume):
        return self._volumes.index(volume)

    # What is done.

    def ask(self, method, path, body=None):
        answer = super().ask(method, path, body)
        self._requests.append((method, path, body, answer.code))
        return answer

    def create(self, on_volume, volume, mode, count):
        """Create servers."""
        shared = self._volumes.index(self.volumes['shared'])
        if on_volume or volume != shared:
            # Two servers can have no other volume.
            count = 1
        root = None
        if on_volume:
            root = 'root%d' % len(self.volumes)
            self.root(root)
        role = None
        if volume is not None:
            held = self.volume_of(volume)
            role, = [name for name, each in self.volumes.items()
                     if each == held]
        # Another one may be created meanwhile.
        prefix = 'asked%d.' % next(self._numbers)
        body = self.boot_request(
            *[role] if role else (), root=root, name=prefix)
        if role:
            for device in body['server']['block_device_mapping_v2']:
                if device['uuid'] == held:
                    device.update({'attach_mode': 'ro'} if mode == 'ro' else
                                  {'tag': 'tag'})
        if count > 1:
            body['server'].update(min_count=count, max_count=count)
        answer = self.ask('POST', '/servers', body)
        if answer.code < 300:
            made = self._named(prefix)
            for server in made:
                role = 'server%d' % len(self._servers)
                self.roles[server] = role
                self.servers[role] = server
                self._servers.append(server)
                if volume is not None:
                    self.model.attached(server, held, mode)
        return answer

    def _named(self, prefix):
        with self.undisturbed():
            servers = self.nova.call('GET', '/servers').body['servers']
        return sorted(server['id'] for server in servers
                      if server['name'].startswith(prefix))

    def step(self, text, do, troubles=()):
        """Do one thing; look at what must hold at any time.

        :param text: what is done, for who reads of it
        :param do: a callable that does it
        :param troubles: those to inject, each a :class:`trouble.Trouble`
        """
        self.record.begin(text[0])
        self._requests = []
        step = {'step': list(text), 'requests': self._requests}
        self.record.steps.append(step)
        self.answers.clear()
        self.before = watching.Before(self)
        self.injecting = bool(troubles)
        injected = injections.of(self, troubles, text[0])
        try:
            with contextlib.ExitStack() as stack:
                for injection in injected:
                    stack.enter_context(injection)
                do()
        except crash.Crash:
            # It stopped in a command, or in Cinder's own doing.
            self.nova.crashes.forget()
        self.record.met += [
            (text[0], injection.trouble, injection.met)
            for injection in injected]
        injected = [injection for injection in injected if injection.fired]
        if injected:
            step['troubles'] = [injection.told() for injection in injected]
        elif not self.answers and text[0] not in operations.UNANSWERED:
            self.record.skip()
        LOG.info('step %s: %s, with %s', text, [
            answer.code for answer in self.answers],
            [injection.trouble for injection in injected])
        self.record.asked[text[0]] += 1
        # A rival is answered first.
        self.record.accepted[text[0]] += (
            self.answers[-1].code < 300 if self.answers else
            text[0] in operations.UNANSWERED)
        stopped = False
        for injection in injected:
            self.record.hits[injection.hit] += 1
            stopped |= self.past.note(self, injection.trouble)
        if stopped:
            self.nova.crashes.forget_all()
            # Nobody starts a compute for an API's sake.
            if cloud.NO_ANSWER in self.answers:
                self.past.note_api_stop(text[0])
            else:
                self.past.restarts = True
                self.nova.restart()
        self.settle()
        watching.look_on(self, injected)
        self.record.end()
        self.injecting = False

    def note_freed(self):
        """Take down which volume Cinder takes for free that a guest uses."""
        with self.undisturbed():
            self.seen = self.seen | set(disks.free(self))

    def note_work(self, server, what):
        """Take down what a rebuild does for a server that is deleted."""
        if self.record.word != 'rebuild' and not self.past.tells_all:
            # As released.
            return
        with self.undisturbed():
            state = self.rows.state_of(server)
            if state is None or (
                    what == 'power_on' and state.task_state == 'deleting'):
                self.seen.add(('deleted server', '%s is to be deleted, and '
                               'there is %s' % (
                                   self.roles.get(server), what)))

    def settle(self):
        """Wait until no server is worked on, shortly where one may hang."""
        with self.nova.other_services.suspended():
            if self.past.reimage_hangs:
                # A host polls the volume until its time is over.
                return self.nova.wait('the servers to be idle', self.is_idle,
                                      REIMAGE_SECONDS)
            if self.past.calm and not self.injecting:
                return self.nova.wait('the servers to be idle', self.is_idle)
            # All that goes on without a call to wait for is short. On a busy
            # machine the time of the processor tells how much was done.
            began = time.process_time()
            while not self.is_idle():
                now = self.rows.states()
                spent = time.process_time() - began
                if spent > (KNOWN_TO_HANG if now == self._hung else HANGS):
                    self._hung = now
                    return False
                time.sleep(0.02)
            return True

    @contextlib.contextmanager
    def undisturbed(self):
        """Inject nothing meanwhile."""
        with contextlib.ExitStack() as stack:
            for each in (self.calls, self.nova.other_services,
                         self.nova.host_faults, self.nova.silence):
                stack.enter_context(each.suspended())
            yield

    def look(self):
        """Return a snapshot without what others have."""
        found = super().look()
        found.attachments = [row for row in found.attachments
                             if row.id not in self.others.had.values()]
        used = {row.volume for row in found.attachments}
        for volume in set(self.others.had) - used:
            found.volumes[volume] = 'available'
        return found

    def write(self):
        """Have each guest write to each of its disks."""
        for server, volume in disks.writable(self):
            text = self.model.wrote(server, volume)
            self.nova.contents.of[volume] += (text,)
