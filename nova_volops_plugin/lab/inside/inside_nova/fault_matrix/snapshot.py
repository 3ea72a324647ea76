# SPDX-License-Identifier: Apache-2.0

"""The state of Nova, Cinder, Placement and libvirt at one moment."""

import collections

from nova import context as nova_context
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects
import sqlalchemy

Server = collections.namedtuple(
    'Server', 'vm_state task_state power_state host deleted faults errors')
Device = collections.namedtuple(
    'Device', 'server volume attachment boot_index attach_mode no_device '
              'connected')
Attachment = collections.namedtuple(
    'Attachment', 'id server volume status mode host')


class Snapshot:
    """Everything that a volume operation may change.

    :param nova: the :class:`cloud.MatrixNova`
    :param servers: UUIDs of servers to tell of even if they are deleted

    :ivar servers: :class:`Server` by UUID, deleted ones included
    :ivar devices: a list of :class:`Device`
    :ivar attachments: a list of :class:`Attachment`
    :ivar volumes: the status by UUID
    :ivar images: the image that is on a volume by the volume's UUID, or None
    :ivar guests: by server UUID, the volumes of its guest by host name
    :ivar building: UUIDs of the servers that are only asked for
    :ivar allocations: the host names by consumer's UUID, sorted
    :ivar used: number of servers that the quota counts
    """

    def __init__(self, nova, servers=()):
        self.servers = {}
        self.devices = []
        context = nova_context.get_admin_context()
        with api_db.context_manager.reader.using(context):
            self.building = [
                row.instance_uuid for row in context.session.query(
                    api_models.BuildRequest.instance_uuid)]
        for cell in objects.CellMappingList.get_all(context):
            with nova_context.target_cell(context, cell) as cell_context:
                self._read_cell(cell_context, servers)
        self.attachments = [
            Attachment(row['id'], row['instance_uuid'], row['volume_id'],
                       row['attach_status'], row['attach_mode'],
                       (row['connector'] or {}).get('host'))
            for row in nova.rules.attachments()]
        self.volumes = {volume: nova.rules.status(volume)
                        for volume in nova.cinder.ids()}
        self.images = {
            volume: (nova.rules.volume(volume).get('volume_image_metadata') or
                     {}).get('image_id') for volume in self.volumes}
        self.guests = self._guests(nova)

    def count(self, nova):
        """Read what takes a request to an API: ``allocations``, ``used``."""
        self.allocations = nova.allocations()
        self.used = nova.call('GET', '/limits').body[
            'limits']['absolute']['totalInstancesUsed']

    def _read_cell(self, context, servers):
        # Columns in place of Nova's objects: it is read after each step.
        with main_db.get_context_manager(context).reader.using(context):
            self._read_servers(context.session.query, list(servers))
            self._read_devices(context.session.query)

    def _read_servers(self, query, servers):
        server, action = models.Instance, models.InstanceAction
        event, fault = models.InstanceActionEvent, models.InstanceFault
        for row in query(
                server.uuid, server.vm_state, server.task_state,
                server.power_state, server.host, server.deleted).filter(
                    sqlalchemy.or_(server.deleted == 0,
                                   server.uuid.in_(servers))):
            actions = query(action.id, action.message).filter(
                action.instance_uuid == row.uuid).all()
            errors = sum(each.message == 'Error' for each in actions)
            errors += query(event.id).filter(
                event.result == 'Error',
                event.action_id.in_([each.id for each in actions])).count()
            self.servers[row.uuid] = Server(
                row.vm_state, row.task_state, row.power_state, row.host,
                bool(row.deleted), query(fault.id).filter(
                    fault.instance_uuid == row.uuid).count(), errors)

    def _read_devices(self, query):
        device = models.BlockDeviceMapping
        self.devices += [
            Device(row.instance_uuid, row.volume_id, row.attachment_id,
                   row.boot_index, row.attach_mode, bool(row.no_device),
                   row.connection_info not in (None, '{}', 'null'))
            for row in query(
                device.instance_uuid, device.volume_id, device.attachment_id,
                device.boot_index, device.attach_mode, device.no_device,
                device.connection_info).filter(
                    device.deleted == 0,
                    device.destination_type == 'volume').order_by(device.id)]

    @staticmethod
    def _guests(nova):
        found = collections.defaultdict(dict)
        for host, domain in nova.domains():
            found[domain.UUIDString()][host] = nova.disks(domain)
        return dict(found)
