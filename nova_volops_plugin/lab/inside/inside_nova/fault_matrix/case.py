# SPDX-License-Identifier: Apache-2.0

"""One case: one run of a flow on the cloud."""

import contextlib
import itertools

from nova import context as nova_context
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects
import sqlalchemy
from sqlalchemy import orm

from inside_nova.embedded_nova import images
from inside_nova.fault_matrix import calls
from inside_nova.fault_matrix import cloud
from inside_nova.fault_matrix import crash
from inside_nova.fault_matrix import snapshot

_MOVING = ('accepted', 'queued', 'preparing', 'running', 'post-migrating',
           'migrating', 'pre-migrating', 'reverting', 'confirming')


class Case:
    """What a flow is made with.

    Servers and volumes are known by the parts they play, and everything
    that tells of them uses these names.

    :param with_writes: whether its calls include the writes to databases
    :ivar nova: the :class:`cloud.MatrixNova`
    :ivar answers: what the requests of the flow itself were answered
    :ivar exit_codes: what the commands of the flow returned
    :ivar told: whether a command of the flow told of a failure
    """

    def __init__(self, nova, with_writes=False):
        self.nova = nova
        self.volumes = {}
        self.servers = {}
        self.roles = {}
        self.answers = []
        self.exit_codes = []
        self.told = False
        self.first_hosts = {}
        self.undo = contextlib.ExitStack()
        self.calls = calls.Calls(
            nova.rules, self.roles, nova.crashes, nova.host_calls,
            with_writes)
        nova.rules.calls = self.calls

    # What flows are prepared with.

    def volume(self, role, **fields):
        """Create a volume; return its UUID."""
        volume = self.nova.rules.add_volume(**fields)
        self.volumes[role] = volume
        self.roles[volume] = role
        return volume

    def root(self, role='root'):
        """Create a volume that a server can boot from."""
        return self.volume(role, size=2, bootable=True,
                           volume_image_metadata={'image_id': images.IMAGE})

    def boot_request(self, *volumes, root=None, **fields):
        """Return the body of a request for a server.

        :param volumes: roles of the volumes it is created with
        :param root: the role of its root volume; by default it has none
        """
        mapping = [] if root is None else [_device(self.volumes[root], 0)]
        for role in volumes:
            mapping.append(_device(self.volumes[role], -1))
        if root is None and mapping:
            mapping.append({
                'source_type': 'image', 'destination_type': 'local',
                'boot_index': 0, 'uuid': images.IMAGE})
        server = dict({'name': 'matrix', 'flavorRef': '1',
                       'networks': 'none'}, **fields)
        if root is None:
            server['imageRef'] = images.IMAGE
        if mapping:
            server['block_device_mapping_v2'] = mapping
        return {'server': server}

    def boot(self, *volumes, root=None, **fields):
        """Create the server of the flow and wait for it; return its UUID."""
        fields.setdefault('host', 'compute1')
        answer = self.nova.call(
            'POST', '/servers', self.boot_request(
                *volumes, root=root, **fields))
        server = self.add_server(answer)
        self.require(answer, server, 'active')
        self.calls.remember()
        return server

    def add_server(self, answer, role='server'):
        """Take up a server that was asked for; return its UUID."""
        if answer.code >= 300:
            return None
        server = answer.body['server']['id']
        self.servers[role] = server
        self.roles[server] = role
        return server

    def attach(self, server, role, **fields):
        """Attach a volume before the flow begins."""
        self.require(self.nova.call(
            'POST', '/servers/%s/os-volume_attachments' % server,
            {'volumeAttachment': dict(
                volumeId=self.volumes[role], **fields)}), server)

    def action(self, server, name, body=None):
        """Ask for an action before the flow begins."""
        self.require(self.nova.call(
            'POST', '/servers/%s/action' % server, {name: body}), server)

    def require(self, answer, server, vm_state=None):
        """Fail unless a request before the flow succeeded."""
        # No fault explains a wait here, so the machine is busy.
        any(self.settle() for _try in range(10))
        state = snapshot.Snapshot(self.nova).servers[server]
        if answer.code >= 300 or state.faults or (
                vm_state and state.vm_state != vm_state):
            raise RuntimeError('the flow cannot be prepared: %s %s, %s' % (
                answer.code, answer.body, state))

    # What flows themselves do.

    def ask(self, method, path, body=None):
        """Send a request of the flow; return the answer."""
        try:
            answer = self.nova.call(method, path, body)
        except crash.Crash:
            # What it has begun nobody goes on with.
            self.nova.crashes.forget()
            answer = cloud.NO_ANSWER
        self.answers.append(answer)
        if answer is not cloud.NO_ANSWER:
            self.settle()
        return answer

    def act(self, server, name, body=None):
        """Send a request for an action of the flow; return the answer."""
        return self.ask('POST', '/servers/%s/action' % server, {name: body})

    # Around flows.

    def settle(self):
        """Wait until no server is worked on; return whether that is so."""
        return self.nova.wait('the servers to be idle', self.is_idle)

    def is_idle(self):
        context = nova_context.get_admin_context()
        with api_db.context_manager.reader.using(context):
            if context.session.query(api_models.BuildRequest).count():
                return False
        for cell in objects.CellMappingList.get_all(context):
            with nova_context.target_cell(context, cell) as cell_context:
                if _worked_on(cell_context) or (
                        not self.calls.stops and _unfinished(cell_context)):
                    return False
        return True

    def look(self):
        """Return the :class:`snapshot.Snapshot` when it has come to rest."""
        last = None
        for _ in range(10):
            now = snapshot.Snapshot(self.nova, self.servers.values())
            if last is not None and vars(now) == vars(last):
                break
            last = now
        now.count(self.nova)
        numbers = itertools.count(1)
        for volume in now.volumes:
            if volume not in self.roles:
                self.roles[volume] = 'created%d' % next(numbers)
        return now


def _unfinished(context):
    """Whether a service of a cell has yet to tell what came of its work."""
    event, action = models.InstanceActionEvent, models.InstanceAction
    server = models.Instance
    # Of two events of one name in a request Nova finishes the first one twice.
    finished = orm.aliased(event)
    with main_db.get_context_manager(context).reader.using(context):
        is_finished = context.session.query(finished).filter(
            finished.action_id == event.action_id,
            finished.event == event.event,
            finished.finish_time >= event.start_time).exists()
        return context.session.query(event).join(
            action, action.id == event.action_id).join(
                server, server.uuid == action.instance_uuid).filter(
                    server.deleted == 0, ~is_finished).count()


def _worked_on(context):
    """Whether a server or a migration of a cell is on its way."""
    server, migration = models.Instance, models.Migration
    with main_db.get_context_manager(context).reader.using(context):
        return context.session.query(server).filter(
            server.deleted == 0, sqlalchemy.or_(
                server.task_state.isnot(None),
                server.vm_state == 'building')).count() or (
            context.session.query(migration).join(
                server, server.uuid == migration.instance_uuid).filter(
                    server.deleted == 0, migration.status.in_(_MOVING)
                ).count())


def _device(volume, boot_index):
    return {'source_type': 'volume', 'destination_type': 'volume',
            'uuid': volume, 'boot_index': boot_index,
            'delete_on_termination': False}
