# SPDX-License-Identifier: Apache-2.0

"""The user's operations on a mixed cloud.

Servers are created on the compute of the other release. After each step no
guest may be able to write to a volume that is attached read-only, and Cinder
must have no attachment that no block device of Nova names.
"""

import json
import time

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects

from inside_nova.embedded_nova import images
from inside_nova.mixed_nova.cloud import REMOTE

SETTLE_SECONDS = 30


class Cloud:
    """The mixed cloud as its user sees it.

    :param nova: a :class:`cloud.Controllers`
    """

    def __init__(self, nova):
        self.nova = nova
        self.api = nova.api_fixture.admin_api

    def ask(self, method, path, body=None, microversion='latest'):
        """Return the status and the decoded answer to a request."""
        self.api.microversion = microversion
        answer = self.api.api_request(
            path, method=method,
            body=json.dumps(body) if body is not None else None)
        self.settle()
        try:
            return answer.status_code, answer.json()
        except ValueError:
            return answer.status_code, answer.text

    def rules(self, name, *args, **kwargs):
        """Call a method of the status rules, wherever they are."""
        return self.nova.rules(name, *args, **kwargs)

    def volume(self, **fields):
        """Create a volume; return its UUID."""
        return self.rules('add_volume', **fields)

    def boot(self, *devices, host=REMOTE, **fields):
        """Create a server; return the answer's status and the server."""
        server = {'name': 'mixed', 'flavorRef': '1', 'networks': 'none',
                  'imageRef': images.IMAGE, **fields}
        if not server['imageRef']:
            del server['imageRef']
        if host:
            server['host'] = host
        if devices:
            server['block_device_mapping_v2'] = [{
                'source_type': 'image', 'destination_type': 'local',
                'boot_index': 0, 'uuid': images.IMAGE}, *devices]
        code, body = self.ask('POST', '/servers', {'server': server})
        if code >= 300:
            return code, body
        return code, self.server(body['server']['id'])

    def server(self, server):
        """Return a server as the API shows it."""
        return self.ask('GET', '/servers/' + server)[1]['server']

    def act(self, server, name, body=None, microversion='latest'):
        """Ask for an action; return the status and the answer."""
        return self.ask('POST', '/servers/%s/action' % server['id'],
                        {name: body}, microversion)

    def attach(self, server, volume, **fields):
        """Attach a volume; return the status and the answer."""
        return self.ask(
            'POST', '/servers/%s/os-volume_attachments' % server['id'],
            {'volumeAttachment': dict(volumeId=volume, **fields)})

    def detach(self, server, volume):
        """Detach a volume; return the status and the answer."""
        return self.ask('DELETE', '/servers/%s/os-volume_attachments/%s' % (
            server['id'], volume))

    def swap(self, server, old, new, copy_data):
        """Swap a volume for another; return the status and the answer."""
        return self.ask('PUT', '/servers/%s/os-volume_attachments/%s' % (
            server['id'], old), {'volumeAttachment': {
                'volumeId': new, 'copy_data': copy_data}})

    def disable(self, host, disabled=True):
        """Have the scheduler pass over a compute, or not any more."""
        self._put_service(
            host, status='disabled' if disabled else 'enabled')

    def force_down(self, host, down=True):
        """Say that a compute is down, or not any more."""
        self._put_service(host, forced_down=down)

    def _put_service(self, host, **fields):
        service, = self.ask(
            'GET', '/os-services?binary=nova-compute&host=' + host)[1][
                'services']
        self.ask('PUT', '/os-services/' + service['id'], fields)

    def traits(self, host):
        """Return the traits that placement has of a compute's node."""
        provider, = self.nova.placement.get(
            '/resource_providers?name=' + host).body['resource_providers']
        return self.nova.placement.get(
            '/resource_providers/%s/traits' % provider['uuid'],
            version='1.6').body['traits']

    def exchange(self, part):
        """Stop the compute of the other process and start it in a third.

        Its guests run on.

        :param part: ``compute``, which has the code of the other release, or
            ``upgraded``, which has that of the controllers
        :returns: ``started``, or the name of the error it ended with
        """
        guests = self.nova.link.call('stop', REMOTE)
        self.nova.link.turn_to(part)
        self.nova.link.wait()
        return self.nova.link.call('start', REMOTE, guests)

    def settle(self):
        """Wait until no server is worked on."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < deadline and self._busy():
            time.sleep(0.05)

    def _busy(self):
        if objects.BuildRequestList.get_all(nova_context.get_admin_context()):
            return True
        return any(instance.task_state or instance.vm_state == 'building'
                   for instance in self._instances())

    @staticmethod
    def _cells():
        context = nova_context.get_admin_context()
        for cell in objects.CellMappingList.get_all(context):
            with nova_context.target_cell(context, cell) as cell_context:
                yield cell_context

    def _instances(self):
        for context in self._cells():
            yield from objects.InstanceList.get_by_filters(
                context, {'deleted': False}, expected_attrs=[])

    def devices(self):
        """Yield the rows of all volumes that servers have."""
        for context in self._cells():
            with main_db.get_context_manager(context).reader.using(context):
                yield from context.session.query(
                    models.BlockDeviceMapping).filter_by(
                        deleted=0, destination_type='volume').all()

    def disks(self, server):
        """Return the volumes of a server's guest, and if read-only each."""
        return {volume: read_only for _host, found, disks in self._guests()
                if found == server['id']
                for volume, read_only in disks.items()}

    def _guests(self):
        return self.nova.guests() + self.nova.link.call('guests')

    def broken(self):
        """Return what is wrong, a list of sentences."""
        devices = list(self.devices())
        owned = {device.attachment_id for device in devices}
        found = ['an attachment of %s is nobody\'s' % row['volume_id']
                 for row in self.rules('attachments')
                 if row['id'] not in owned]
        read_only = {
            (device.instance_uuid, device.volume_id) for device in devices
            if getattr(device, 'attach_mode', None) == 'ro'}
        found += ['%s can write to %s' % (server, volume)
                  for _host, server, disks in self._guests()
                  for volume, disk_read_only in disks.items()
                  if (server, volume) in read_only and not disk_read_only]
        found += ['%s is %s' % (instance.uuid, instance.task_state)
                  for instance in self._instances() if instance.task_state]
        return found

    def clear(self):
        """Delete all servers, and forget all volumes."""
        for instance in list(self._instances()):
            self.ask('DELETE', '/servers/' + instance.uuid)
        for _ in range(100):
            if not list(self._instances()):
                break
            time.sleep(0.05)
        left = self.broken()
        return left + ['%s is %s' % (volume, status) for volume, status in (
            (volume, self.rules('status', volume)) for volume in
            self.rules('ids')) if status != 'available']
