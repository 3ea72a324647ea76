# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
from fault_matrix import invariants
from histories import model
from histories import operations
from histories import trouble

LOG = logging.getLogger(__name__)

# The most calls to Cinder that one request may make with four volumes.
MOST_CALLS = 150

# What a service that stops, or the loss of a message, may leave: see
# nova_volops_plugin.faults.explained.
AFTER_A_STOP = {'stuck', 'volume', 'orphan', 'allocation', 'guest', 'mark',
                'unconnected', 'device', 'quota'}
# What Nova may leave where Cinder did not do as it was told.
AFTER_A_FAULT = {'volume', 'orphan', 'unconnected'}
# What is mended afterwards.
BY_HAND = {'volume', 'orphan', 'unconnected', 'device'}
MENDED = {'orphan', 'device'}


class Broken(Exception):
    """Something is wrong that no trouble of the history explains.

    :ivar kind: what, for telling defects apart
    """

    def __init__(self, kind, text):
        super().__init__('%s: %s' % (kind, text))
        self.kind = kind


class History(case.Case):
    """A history while it is made.

    :param nova: a :class:`cloud.HistoryNova`

    :ivar steps: what was done, a list of str
    :ivar model: the :class:`model.Model`
    :ivar asked: a Counter of the operations that were asked for
    :ivar accepted: a Counter of those that were accepted or done
    :ivar struck: a Counter of what befell them: pairs of the call, write or
        message, and what became of it
    """

    def __init__(self, nova):
        super().__init__(nova)
        self.calls = trouble.NumberedCalls(
            nova.rules, self.roles, nova.crashes, with_writes=True)
        nova.rules.calls = self.calls
        self.model = model.Model()
        self.steps = []
        self.asked = collections.Counter()
        self.accepted = collections.Counter()
        self.struck = collections.Counter()
        self._servers = []
        self.requests = []
        self._calm = True
        self._stopped = self._failed = self._by_hand = False
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

    @staticmethod
    def _cells():
        context = nova_context.get_admin_context()
        for cell in objects.CellMappingList.get_all(context):
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
        if volume != self._volumes.index(self.volumes['shared']):
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
        return sorted(
            server['id'] for server in self.nova.call('GET', '/servers').body[
                'servers'] if server['id'] not in self._servers)

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
        before = len(self.nova.rules.calls)
        stack = contextlib.ExitStack()
        rival = None
        if befalls.kind in ('call', 'write'):
            self.calls.begin_numbered(
                befalls.kind, befalls.nth, befalls.fault)
        elif befalls.kind in ('hold', 'twice', 'lose'):
            self.nova.messages.begin(befalls.kind, befalls.nth)
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
        fired = befalls.kind != 'none' and (
            self.calls.fired if befalls.kind in ('call', 'write') else
            self.nova.messages.fired if rival is None else rival.started)
        if fired:
            step['befalls'] = self._named(befalls)
        LOG.info('step %s: %s%s', text, [
            answer.code for answer in self.answers],
            ', befallen by %s' % (befalls,) if fired else '')
        self.asked[text[0]] += 1
        # What is asked of no API is done; a rival is answered first.
        self.accepted[text[0]] += not self.answers or (
            self.answers[-1].code < 300)
        if fired:
            self._note(befalls)
        self.settle()
        self._look_on(befalls, len(self.nova.rules.calls) - before)

    def _named(self, befalls):
        """Return what befell a step, a dict that can be written as JSON."""
        found = {'kind': befalls.kind, 'nth': befalls.nth}
        if befalls.fault:
            # The last name is that of the call or write it befell.
            found.update(fault=befalls.fault, call=self.calls.struck)
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
        if befalls.kind == 'rival':
            return 'rival %s' % befalls.rival.kind
        return '%s %s' % (self.nova.messages.fired, befalls.kind)

    def _note(self, befalls):
        self._calm = False
        self.struck[self._what(befalls)] += 1
        if befalls.kind == 'write' or befalls.fault in calls.CRASHES or (
                befalls.kind == 'lose'):
            self._stopped = True
            self.nova.crashes.forget_all()
            self.nova.restart()
        elif befalls.kind == 'call':
            self._failed = True
            # Cinder has the attachment no more of which it says so.
            self._by_hand |= befalls.fault == '404'

    def settle(self):
        """Wait until no server is worked on, shortly where one may hang."""
        return self.nova.wait('the servers to be idle', self._idle,
                              None if self._calm else 0.5)

    def _look_on(self, befalls, calls_made):
        self.model.observe(self.devices())
        for answer in self.answers:
            # What Cinder cannot answer, Nova as released cannot either.
            if answer.code == 500 and befalls.kind != 'call':
                raise Broken('500', answer.body)
        if calls_made > MOST_CALLS:
            raise Broken('calls', '%d calls to Cinder' % calls_made)
        for server, volume in self.writable():
            read_only = self.model.writable(server, {volume})
            if read_only:
                raise Broken('read-only', '%s can write to %s' % (
                    self.roles.get(server), self.roles.get(volume)))

    def writable(self):
        """Return pairs of server and volume that a guest can write to."""
        found = set()
        for compute in self.nova.computes.values():
            connection = compute.driver._host.get_connection()
            for domain in list(connection._vms.values()):
                server = domain.UUIDString()
                found.update(
                    (server, volume)
                    for volume in self.nova.contents.writable(domain))
        return sorted(found)

    def write(self):
        """Have each guest write to each of its disks."""
        for server, volume in self.writable():
            text = self.model.wrote(server, volume)
            self.nova.contents.of[volume] += (text,)

    def remove_by_hand(self, server, volume):
        """Delete an attachment in Cinder behind Nova's back."""
        # Nobody can mend a server whose root volume is gone.
        roots = {device.volume for device in self.devices()
                 if device.boot_index == 0}
        rows = [row for row in self.nova.rules.attachments(
            volume, server) if row['volume_id'] not in roots]
        if rows:
            self._by_hand, self._calm = True, False
            self.nova.rules.remove_attachment(rows[0]['id'])

    def add_by_hand(self, server, volume):
        """Reserve a volume for a server behind Nova's back."""
        self._by_hand, self._calm = True, False
        self.nova.rules.add_attachment(volume, server, 'reserved')

    # The end.

    def judge(self):
        """Let everything work again, and look for what is wrong.

        :raises Broken: something is
        """
        self.nova.rules.heal()
        self.nova.lag(False)
        self.nova.messages.deliver()
        if not self._calm:
            self.nova.restart()
        self.settle()
        self.nova.run_periodic_tasks()
        self.model.observe(self.devices())
        self._require_contents()
        self._require(invariants.broken(self.look(), self), '')
        operations.clean_up(self, None, None)
        # What is left now nobody would ever find.
        wrong = [what for what in invariants.broken(self.look(), self)
                 if what[0] in MENDED]
        if not self._stopped:
            self._require(wrong, 'after the clean-up, ', hard=True)
        self._require_contents()
        self._delete_all()

    def _require_contents(self):
        for volume, text in self.model.lost(self.nova.contents.of):
            raise Broken('lost write', '%s is not on %s' % (
                text, self.roles.get(volume)))

    def _require(self, wrong, when, hard=False):
        excused = set()
        if not hard:
            if self._stopped:
                excused |= AFTER_A_STOP
            if self._failed:
                excused |= AFTER_A_FAULT
            if self._by_hand:
                excused |= BY_HAND
        for kind, text in wrong:
            if kind not in excused:
                raise Broken(kind, when + text)

    def _delete_all(self):
        servers = [server['id'] for server in self.nova.call(
            'GET', '/servers?all_tenants=1').body['servers']]
        for server in servers:
            answer = self.nova.call('DELETE', '/servers/' + server)
            if answer.code not in (204, 404):
                raise Broken('undeletable', '%s: %s %s' % (
                    self.roles.get(server), answer.code, answer.body))
        self.nova.wait('the servers to be gone', lambda: not self.nova.call(
            'GET', '/servers?all_tenants=1').body['servers'])
        left = invariants.broken(self.look(), self)
        excused = {'volume'} if self._stopped or self._failed else set()
        for kind, text in left:
            if kind not in excused:
                raise Broken('left-' + kind, text)
