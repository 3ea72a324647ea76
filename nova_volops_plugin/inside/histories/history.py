# SPDX-License-Identifier: Apache-2.0

"""One history: the requests, what befalls them, and what is wrong then."""

import collections
import contextlib

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects
from oslo_log import log as logging

from fault_matrix import calls
from fault_matrix import case
from fault_matrix import crash
from histories.broken import Broken
from histories import disks
from histories import elsewhere
from histories import model
from histories import operations
from histories import other_cinder
from histories import tampering
from histories import trouble

LOG = logging.getLogger(__name__)

# The most calls to Cinder that one request may make with four volumes.
MOST_CALLS = 150

# What breaks no server, whatever was changed by hand or waited before.
_HARMLESS = ('rebuild', 'restart')


class History(tampering.Tampering, case.Case):
    """A history while it is made.

    :param nova: a :class:`cloud.HistoryNova`

    :ivar steps: what was done, a list of str
    :ivar model: the :class:`model.Model`
    :ivar asked: a Counter of the operations that were asked for
    :ivar accepted: a Counter of those that were accepted or done
    :ivar struck: a Counter of what befell them: pairs of the call, write or
        message, and what became of it
    :ivar deleted: the UUIDs of servers whose deletion was accepted
    :ivar excused: kinds of what may be wrong as somebody asked for it
    :ivar strays: the ids of attachments that were made by hand
    :ivar calm: whether nothing went wrong
    :ivar stopped: whether a service stopped, lost a message or could not
        reach what is not Cinder
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
        self.struck = collections.Counter()
        self._servers = []
        self.strays = []
        self.excused = set()
        self.requests = []
        self.calm = True
        self.stopped = self.failed = self.by_hand = False
        self.deleted = set()
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
        return [server for server in self._servers
                if self.state_of(server) is not None]

    def volume_of(self, number):
        """Return the UUID of a volume."""
        return self._volumes[number % len(self._volumes)]

    def volume_number(self, volume):
        return self._volumes.index(volume)

    def state_of(self, server):
        """Return (host, vm_state, task_state), None for a deleted server."""
        for query in self._cells():
            found = query(
                models.Instance.host, models.Instance.vm_state,
                models.Instance.task_state).filter_by(
                    uuid=server, deleted=0).first()
            if found:
                return found
        return None

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
        for query in self._cells():
            for row in query(
                    device.id, device.instance_uuid, device.volume_id,
                    device.boot_index).filter(
                        device.deleted == 0,
                        device.destination_type == 'volume'):
                yield model.Device(*row)

    def _cells(self):
        context = nova_context.get_admin_context()
        with self.nova.elsewhere.suspended():
            cells = objects.CellMappingList.get_all(context)
        for cell in cells:
            with nova_context.target_cell(context, cell) as cell_context:
                with main_db.get_context_manager(
                        cell_context).reader.using(cell_context):
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
                if device['uuid'] == held and mode == 'ro':
                    device['attach_mode'] = 'ro'
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

    def step(self, text, do, befalls=trouble.NONE):
        """Do one thing; look at what must hold at any time.

        :param text: what is done, for who reads of it
        :param do: a callable that does it
        :param befalls: a :class:`trouble.Trouble`
        :raises Broken: something does not hold
        """
        self.requests = []
        step = {'step': list(text), 'requests': self.requests}
        self.steps.append(step)
        self.answers.clear()
        calls_before = len(self.nova.rules.calls)
        broken_before = self.in_error()
        stack = contextlib.ExitStack()
        rival = None
        if befalls.kind in ('call', 'write'):
            self.calls.begin_numbered(
                befalls.kind, befalls.nth, befalls.fault)
        elif befalls.kind in ('hold', 'twice', 'lose'):
            self.nova.messages.begin(befalls.kind, befalls.nth)
        elif befalls.kind in elsewhere.SERVICES:
            self.nova.elsewhere.begin(
                befalls.kind, befalls.nth, befalls.fault)
        elif (befalls.kind == 'other-cinder' and
                text[0] not in other_cinder.ASKED_BY_CINDER):
            rival = stack.enter_context(
                other_cinder.OtherCinder(self.nova.rules))
        elif befalls.kind == 'copy':
            rival = stack.enter_context(trouble.StopInCopy(
                self.nova.crashes, self.nova.contents))
        elif befalls.kind == 'rival':
            rival = stack.enter_context(trouble.Rival(
                self.nova.rules, self.nova.contents, befalls.nth,
                lambda: operations.do(self, befalls.rival)))
        try:
            with stack:
                do()
        except crash.Crash:
            # It stopped in a command, or in Cinder's own doing.
            self.nova.crashes.forget()
        finally:
            self.calls.pause()
            self.nova.messages.pause()
            self.nova.elsewhere.pause()
        fired = self._fired(befalls, rival)
        if fired:
            step['befalls'] = self._named(befalls)
        LOG.info('step %s: %s%s', text, [
            answer.code for answer in self.answers],
            ', befallen by %s' % (befalls,) if fired else '')
        self.asked[text[0]] += 1
        # A rival is answered first.
        self.accepted[text[0]] += (
            self.answers[-1].code < 300 if self.answers else
            text[0] in operations.UNANSWERED)
        if fired:
            self._note(befalls, text[0])
        self.settle()
        self._look_on(befalls, len(self.nova.rules.calls) - calls_before)
        if not fired:
            self._require_health(text[0], broken_before)

    def _fired(self, befalls, rival):
        """Return whether what was to befall a step did."""
        if befalls.kind in ('call', 'write'):
            return self.calls.fired
        if befalls.kind in elsewhere.SERVICES:
            return self.nova.elsewhere.struck
        if rival:
            return rival.started
        if befalls.kind == 'other-cinder':
            return False
        return befalls.kind != 'none' and self.nova.messages.fired

    def _named(self, befalls):
        """Return what befell a step, a dict that can be written as JSON."""
        found = {'kind': befalls.kind, 'nth': befalls.nth}
        if befalls.fault:
            struck = (self.nova.elsewhere if befalls.kind in elsewhere.SERVICES
                      else self.calls).struck
            found.update(fault=befalls.fault, call=struck or befalls.kind)
        if befalls.rival:
            found['rival'] = list(befalls.rival)
        return found

    def _what(self, befalls):
        """Return where trouble struck and what it was, two words."""
        if befalls.kind in ('call', 'write'):
            name = self.calls.struck.partition('#')[0]
            if befalls.kind == 'call':
                name = name.partition('(')[0]
            return '%s %s' % (name, befalls.fault)
        if befalls.kind in elsewhere.SERVICES:
            return '%s %s' % (self.nova.elsewhere.struck, befalls.fault)
        if befalls.kind == 'rival':
            return 'rival %s' % befalls.rival.kind
        if befalls.kind == 'copy':
            return 'copy crash'
        if befalls.kind == 'other-cinder':
            return befalls.kind
        return '%s %s' % (self.nova.messages.fired, befalls.kind)

    def _note(self, befalls, kind):
        self.calm = False
        self.struck[self._what(befalls)] += 1
        if (befalls.kind in ('write', 'copy', 'lose') or
                befalls.fault in calls.CRASHES):
            # A host that is started again puts right what it was copying.
            self.stopped |= befalls.kind != 'copy'
            self.nova.crashes.forget_all()
            self.nova.restart()
        elif befalls.kind in elsewhere.SERVICES:
            # As released, Nova leaves what it cannot undo then.
            self.stopped = True
        elif befalls.kind == 'other-cinder':
            self.failed |= kind not in other_cinder.HARMLESS
        elif befalls.kind == 'call':
            self.failed = True
            # Cinder has the attachment no more of which it says so.
            self.by_hand |= befalls.fault == '404'

    def settle(self):
        """Wait until no server is worked on, shortly where one may hang."""
        with self.nova.elsewhere.suspended():
            return self.nova.wait('the servers to be idle', self._idle,
                                  None if self.calm else 0.5)

    @contextlib.contextmanager
    def undisturbed(self):
        """Let no trouble befall what is done meanwhile."""
        with self.calls.suspended(), self.nova.elsewhere.suspended():
            yield

    def _look_on(self, befalls, calls_made):
        self.model.observe(self.devices())
        for answer in self.answers:
            # What Cinder cannot answer, Nova as released cannot either.
            if answer.code == 500 and not self._may_be_500(befalls):
                raise Broken('500', answer.body)
        if self.in_error():
            # As released: what both hosts hold stays for a move to be mended.
            self.excused |= {'allocation', 'guest'}
        if calls_made > MOST_CALLS:
            raise Broken('calls', '%d calls to Cinder' % calls_made)
        self._require_whole_copies()
        for kind, text in disks.broken(self):
            raise Broken(kind, text)

    def _require_whole_copies(self):
        used = {device.volume for device in self.devices()}
        for old, new in self.nova.contents.torn:
            if new in used:
                raise Broken('torn copy', '%s was written to while it was '
                             'copied to %s' % (self.roles.get(old),
                                               self.roles.get(new)))

    def _may_be_500(self, befalls):
        if befalls.kind == 'call' and befalls.fault in trouble.REFUSALS:
            return not self.calls.struck.startswith('attachment_')
        # The API may wait for a service that has stopped.
        return befalls.kind in ('call', 'write', *elsewhere.SERVICES)

    def in_error(self):
        """Return the UUIDs of the servers that are in error, a set."""
        return {server for server in self.alive()
                if self.state_of(server).vm_state == 'error'}

    def _require_health(self, kind, before):
        """Require that no server breaks where nothing went wrong."""
        harmless = self.calm or kind in _HARMLESS and not (
            self.stopped or self.failed)
        if kind == 'create' and self.nova.rules.status(
                self.volumes['shared']) == 'reserved':
            # An offloaded server has it: the new one waits for it in vain.
            return
        broken = self.in_error() - before
        if harmless and broken and kind != 'set-error':
            raise Broken('error', '%s: %s is in error' % (
                kind, self.roles.get(min(broken))))

    def write(self):
        """Have each guest write to each of its disks."""
        for server, volume in disks.writable(self):
            text = self.model.wrote(server, volume)
            self.nova.contents.of[volume] += (text,)
