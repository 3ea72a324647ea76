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

"""What Nova, Cinder, placement and libvirt hold at one moment."""

import collections

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects

Server = collections.namedtuple(
    'Server', 'vm_state task_state power_state host deleted faults errors')
Device = collections.namedtuple(
    'Device', 'server volume attachment boot_index attach_mode no_device '
              'connected')
Attachment = collections.namedtuple(
    'Attachment', 'id server volume status mode host')


class World:
    """Everything that a volume operation may change.

    :param nova: the :class:`cloud.MatrixNova`
    :param servers: UUIDs of servers to tell of even if they are deleted

    :ivar servers: :class:`Server` by UUID, deleted ones included
    :ivar devices: a list of :class:`Device`
    :ivar attachments: a list of :class:`Attachment`
    :ivar volumes: the status by UUID
    :ivar images: the image that is on a volume by the volume's UUID, or None
    :ivar allocations: the host names by consumer's UUID, sorted
    :ivar guests: by server UUID, the volumes of its guest by host name
    :ivar used: number of servers that the quota counts
    :ivar building: UUIDs of the servers that are only asked for
    """

    def __init__(self, nova, servers=()):
        self.servers = {}
        self.devices = []
        self.building = []
        context = nova_context.get_admin_context()
        self.building = [
            request.instance_uuid for request in
            objects.BuildRequestList.get_all(context)]
        for cell in objects.CellMappingList.get_all(context):
            with nova_context.target_cell(
                    nova_context.get_admin_context(read_deleted='yes'),
                    cell) as cell_context:
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
        self.allocations = self._allocations(nova)
        self.guests = self._guests(nova)
        self.used = nova.call('GET', '/limits').body[
            'limits']['absolute']['totalInstancesUsed']

    def _read_cell(self, context, servers):
        instances = list(objects.InstanceList.get_by_filters(
            context, {'deleted': False}, expected_attrs=[]))
        known = [instance.uuid for instance in instances]
        instances += list(objects.InstanceList.get_by_filters(
            context, {'uuid': [server for server in servers
                               if server not in known], 'deleted': True},
            expected_attrs=[])) if servers else []
        faults = objects.InstanceFaultList.get_by_instance_uuids(
            context, [instance.uuid for instance in instances])
        for instance in instances:
            actions = objects.InstanceActionList.get_by_instance_uuid(
                context, instance.uuid)
            errors = sum(
                event.result == 'Error' for action in actions
                for event in objects.InstanceActionEventList.get_by_action(
                    context, action.id))
            errors += sum(action.message == 'Error' for action in actions)
            self.servers[instance.uuid] = Server(
                instance.vm_state, instance.task_state, instance.power_state,
                instance.host, instance.deleted,
                sum(fault.instance_uuid == instance.uuid for fault in faults),
                errors)
        with main_db.get_context_manager(context).reader.using(context):
            self.devices += [
                Device(row.instance_uuid, row.volume_id, row.attachment_id,
                       row.boot_index, getattr(row, 'attach_mode', None),
                       bool(row.no_device),
                       row.connection_info not in (None, '{}', 'null'))
                for row in context.session.query(
                    models.BlockDeviceMapping).filter_by(deleted=0)
                if row.destination_type == 'volume']

    @staticmethod
    def _allocations(nova):
        found = collections.defaultdict(list)
        for host, provider in nova.compute_rp_uuids.items():
            for consumer in nova.placement.get(
                    '/resource_providers/%s/allocations' % provider).body[
                        'allocations']:
                found[consumer].append(host)
        return {consumer: sorted(hosts) for consumer, hosts in found.items()}

    @staticmethod
    def _guests(nova):
        found = collections.defaultdict(dict)
        for host, compute in nova.computes.items():
            connection = compute.driver._host.get_connection()
            for domain in connection._vms.values():
                found[domain.UUIDString()][host] = nova.disks(domain)
        return dict(found)
