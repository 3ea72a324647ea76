# SPDX-License-Identifier: Apache-2.0

"""One history: the requests, what goes wrong, and what is wrong then."""

import collections
import contextlib
import time

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from oslo_log import log as logging

from inside_nova.fault_matrix import calls
from inside_nova.fault_matrix import case
from inside_nova.fault_matrix import crash
from inside_nova.histories.broken import Broken
from inside_nova.histories import disks
from inside_nova.histories import injections
from inside_nova.histories import model
from inside_nova.histories import operations
from inside_nova.histories import other_cinder
from inside_nova.histories import other_services
from inside_nova.histories import tampering
from inside_nova.histories import trouble
from inside_nova.histories import watching

LOG = logging.getLogger(__name__)

State = collections.namedtuple('State', 'host vm_state task_state')
# Seconds of the processor after which a server is taken not to get idle.
HANGS, KNOWN_TO_HANG = 0.4, 0.1


class History(tampering.Tampering, case.Case):
    """A history while it is made.

    :param nova: a :class:`cloud.HistoryNova`

    :ivar steps: what was done, a list of str
    :ivar model: the :class:`model.Model`
    :ivar asked: a Counter of the operations that were asked for
    :ivar accepted: a Counter of those that were accepted or done
    :ivar hits: a Counter of what was injected: pairs of the call, write or
        message, and what became of it
    :ivar met: triples of an operation, a trouble it was to have and how many
        there were of what that hits
    :ivar situations: pairs of an operation and the situation it was asked for
        in, as :meth:`applicable.Present.situation` returns it
    :ivar deleted: the UUIDs of servers whose deletion was accepted
    :ivar findings: what is wrong, a list of :class:`broken.Broken`
    :ivar injecting: whether anything is injected into this step
    :ivar seen: what was wrong during this step, a set of kind and text
    :ivar word: the operation that is done, ``end`` after the last
    :ivar before: what there was before this step
    :ivar excused: kinds of what may be wrong as somebody asked for it
    :ivar changed: the UUIDs of servers whose attachments were changed behind
        Nova's back
    :ivar strays: the ids of attachments that were made by hand
    :ivar calm: whether nothing went wrong
    :ivar stopped: whether a service stopped, lost a message or could not
        reach what is not Cinder
    :ivar outlived: whether another request outlived its server
    :ivar waited: whether a message waited
    :ivar late_move: whether a move met one that waited
    :ivar failed: whether Cinder failed
    :ivar by_hand: whether Cinder's attachments were changed behind Nova's
        back
    """

    def __init__(self, nova):
        super().__init__(nova)
        self.calls = trouble.NumberedCalls(
            nova.rules, self.roles, nova.crashes, nova.host_calls,
            with_writes=True)
        nova.rules.calls = self.calls
        self.model = model.Model()
        self.steps = []
        self.asked = collections.Counter()
        self.accepted = collections.Counter()
        self.hits = collections.Counter()
        self.met = []
        self.situations = []
        self._servers = []
        self.strays = []
        self.changed = set()
        self.excused = set()
        self.requests = []
        self.calm = True
        self.stopped = self.failed = self.by_hand = self.waited = False
        self.outlived = self.late_move = False
        self.deleted = set()
        self.findings = []
        self._told = set()
        self.word = 'end'
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
        states = self.states()
        return [server for server in self._servers if server in states]

    def states(self):
        """Return (host, vm_state, task_state) by server, without deleted."""
        found = {}
        for query in self.queries():
            for row in query(
                    models.Instance.uuid, models.Instance.host,
                    models.Instance.vm_state, models.Instance.task_state
                    ).filter_by(deleted=0):
                found[row.uuid] = State(*row[1:])
        return found

    def volume_of(self, number):
        """Return the UUID of a volume."""
        return self._volumes[number % len(self._volumes)]

    def volume_number(self, volume):
        return self._volumes.index(volume)

    def state_of(self, server):
        """Return (host, vm_state, task_state), None for a deleted server."""
        return self.states().get(server)

    def host_of(self, server):
        """Return the host of a server, or None."""
        state = self.state_of(server)
        return state and state.host

    def volume_held_by(self, server):
        """Return a volume of a server, rather not its root, or None."""
        held = [device for device in self.devices()
                if device.server == server]
        held.sort(key=lambda device: (device.boot_index == 0, device.id))
        return held[0].volume if held else None

    def devices(self):
        """Yield each block device on a volume, a :class:`model.Device`."""
        device = models.BlockDeviceMapping
        for query in self.queries():
            for row in query(
                    device.id, device.instance_uuid, device.volume_id,
                    device.boot_index, device.attachment_id,
                    device.no_device).filter(
                        device.deleted == 0,
                        device.destination_type == 'volume'):
                yield model.Device(*row)

    def on_volumes(self):
        """Return the UUIDs of the servers with a root volume, a set."""
        return {device.server for device in self.devices()
                if device.boot_index == 0}

    def queries(self, writing=False):
        """Yield what to query each cell with."""
        context = nova_context.get_admin_context()
        for cell in self.nova.cells:
            with nova_context.target_cell(context, cell) as cell_context:
                manager = main_db.get_context_manager(cell_context)
                with (manager.writer if writing else manager.reader).using(
                        cell_context):
                    yield cell_context.session.query

    # What is done.

    def ask(self, method, path, body=None):
        answer = super().ask(method, path, body)
        self.requests.append((method, path, body, answer.code))
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
        body = self.boot_request(*[role] if role else (), root=root)
        if role:
            for device in body['server']['block_device_mapping_v2']:
                if device['uuid'] == held:
                    device.update({'attach_mode': 'ro'} if mode == 'ro' else
                                  {'tag': 'tag'})
        if count > 1:
            body['server'].update(min_count=count, max_count=count)
        answer = self.ask('POST', '/servers', body)
        if answer.code < 300:
            made = self._new_servers()
            for server in made:
                role = 'server%d' % len(self._servers)
                self.roles[server] = role
                self.servers[role] = server
                self._servers.append(server)
                if volume is not None:
                    self.model.attached(server, held, mode)
        return answer

    def _new_servers(self):
        with self.undisturbed():
            servers = self.nova.call('GET', '/servers').body['servers']
        return sorted(server['id'] for server in servers
                      if server['id'] not in self._servers)

    def step(self, text, do, troubles=()):
        """Do one thing; look at what must hold at any time.

        :param text: what is done, for who reads of it
        :param do: a callable that does it
        :param troubles: those to inject, each a :class:`trouble.Trouble`
        """
        self.word = text[0]
        self.requests = []
        step = {'step': list(text), 'requests': self.requests}
        self.steps.append(step)
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
        self.met += [(text[0], injection.trouble, injection.met)
                     for injection in injected]
        injected = [injection for injection in injected if injection.fired]
        if injected:
            step['troubles'] = [injection.told() for injection in injected]
        LOG.info('step %s: %s, with %s', text, [
            answer.code for answer in self.answers],
            [injection.trouble for injection in injected])
        self.asked[text[0]] += 1
        # A rival is answered first.
        self.accepted[text[0]] += (
            self.answers[-1].code < 300 if self.answers else
            text[0] in operations.UNANSWERED)
        stopped = False
        for injection in injected:
            self.hits[injection.hit] += 1
            stopped |= self._note(injection.trouble)
        if stopped:
            self.nova.crashes.forget_all()
            self.nova.restart()
        self.settle()
        watching.look_on(self, injected)
        self.word = 'end'
        self.injecting = False

    def tell(self, kind, text):
        """Tell that something is wrong."""
        text = str(text)
        if (kind, text) in self._told:
            # It goes on from one step to the next.
            return
        self._told.add((kind, text))
        wrong = Broken(kind, text, self.word)
        if wrong.signature not in {each.signature for each in self.findings}:
            LOG.info('found %s', wrong.signature)
            self.findings.append(wrong)

    def note_freed(self):
        """Take down which volume Cinder takes for free that a guest uses."""
        with self.undisturbed():
            self.seen = self.seen | set(disks.free(self))

    def note_work(self, server, what):
        """Take down what a rebuild does for a server that is deleted."""
        if self.word != 'rebuild':
            # As released.
            return
        with self.undisturbed():
            state = self.state_of(server)
            if state is None or (
                    what == 'power_on' and state.task_state == 'deleting'):
                self.seen.add(('deleted server', '%s is to be deleted, and '
                               'there is %s' % (
                                   self.roles.get(server), what)))

    def _note(self, each):
        """Take down what a trouble explains; return if a service stopped."""
        self.calm = False
        if (each.kind in ('write', 'copy', 'lose') or
                each.fault in calls.CRASHES):
            # A host that is started again puts right what it was copying.
            self.stopped |= each.kind != 'copy'
            return True
        if each.kind in other_services.SERVICES:
            # As released, Nova leaves what it cannot undo then.
            self.stopped = True
        elif each.kind == 'hold':
            self.waited = True
        elif each.kind == 'other-cinder':
            self.failed |= self.word not in other_cinder.HARMLESS
        elif each.kind == 'spawn':
            self.failed |= self.word != 'create'
        elif each.kind == 'call':
            self.failed = True
            # Cinder has the attachment no more of which it says so.
            self.by_hand |= each.fault == '404'
            self._note_incomplete_swap()
        return False

    def _note_incomplete_swap(self):
        """Take down what a swap leaves of which Cinder does not hear.

        As released, a live one has deleted the old attachment by then, and
        the device stays on the old volume.
        """
        name, _bracket, volume = self.calls.hit.partition(')')[
            0].partition('(')
        if name == 'migrate_volume_completion':
            self.excused |= {'device', 'guest'}
            self.nova.removed |= {
                (device.server, device.volume) for device in self.devices()
                if self.roles.get(device.volume) == volume}

    def settle(self):
        """Wait until no server is worked on, shortly where one may hang."""
        with self.nova.other_services.suspended():
            if self.calm and not self.injecting:
                return self.nova.wait('the servers to be idle', self._idle)
            # All that goes on without a call to wait for is short. On a busy
            # machine the time of the processor tells how much was done.
            began = time.process_time()
            while not self._idle():
                now = self.states()
                spent = time.process_time() - began
                if spent > (KNOWN_TO_HANG if now == self._hung else HANGS):
                    self._hung = now
                    return False
                time.sleep(0.02)
            return True

    @contextlib.contextmanager
    def undisturbed(self):
        """Inject nothing meanwhile."""
        with self.calls.suspended(), self.nova.other_services.suspended():
            yield

    def in_error(self):
        """Return the UUIDs of the servers that are in error, a set."""
        return {server for server, state in self.states().items()
                if state.vm_state == 'error'}

    def write(self):
        """Have each guest write to each of its disks."""
        for server, volume in disks.writable(self):
            text = self.model.wrote(server, volume)
            self.nova.contents.of[volume] += (text,)
