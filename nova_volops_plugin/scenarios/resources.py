# SPDX-License-Identifier: Apache-2.0

"""The user's resources: servers, volumes, images."""

from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import rest
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import operations

STUCK = ('attaching', 'detaching', 'downloading', 'reserved')
# What the names of all that the scenarios make begin with.
PREFIX = 'demo-'
# Cinder's first microversion that shows and makes attachments, and Nova's
# first that shows their ids.
ATTACHMENTS = '3.44'
SHOWS_ATTACHMENTS = '2.89'


class Resources(rest.Rest):
    """Makes them, waits for them, and deletes in the end what it made."""

    def __init__(self, *args):
        super().__init__(*args)
        self.operations = operations.VolumeOperations(self._connection)
        self._made = []

    def create_server(self, name, image=True, version='2.37', **fields):
        """Ask for a server without networks; return the :class:`Answer`.

        :param name: of the server, shown in place of its UUID from then on
        :param image: whether it boots from the cloud's image
        :param version: the microversion, at least 2.37
        :param fields: more fields of the server
        """
        if image:
            fields['imageRef'] = self.image()
        answer = self.send(calls.create_server(
            name, self.flavors()[0], 'none', **fields), version)
        if 'server' in answer.body:
            self.remember('server', answer.body['server']['id'], name)
        return answer

    def attach(self, server, volume, version=None, **fields):
        """Ask to attach a volume; once accepted, wait until it is attached.

        :param fields: more fields of the attachment
        :returns: an :class:`Answer`
        """
        answer = self.send(calls.attach(server, volume, **fields), version)
        if answer.ok:
            self.wait('volume %s at server %s' % (volume, server),
                      lambda: server in [
                          row['server_id']
                          for row in self.volume(volume)['attachments']])
        return answer

    def create_servers(self, name, count, **fields):
        """Ask for several servers with one request; see create_server.

        :returns: an :class:`Answer` with a ``reservation_id``
        """
        return self.create_server(
            name, min_count=count, max_count=count,
            return_reservation_id=True, **fields)

    def reserved(self, reservation):
        """Return the UUIDs of the servers of a reservation."""
        servers = self.operations.reserved(reservation)
        for server in servers:
            self.remember('server', server.id, server.name)
        return [server.id for server in servers]

    def boot(self, name, **fields):
        """Return the UUID of a new server that is ACTIVE.

        :raises VolopsError: it is refused, or does not get there
        """
        answer = self.create_server(name, **fields)
        if not answer.ok:
            raise exceptions.VolopsError('no server: %s' % answer)
        server = answer.body['server']['id']
        self.wait_for_server(server, 'ACTIVE')
        return server

    def boot_from_volume(self, name, image):
        """Return the UUIDs of a new server and of the volume it boots from.

        :param image: the UUID of the image that the volume holds
        """
        root = self.create_volume(PREFIX + 'root', imageRef=image)
        return self.boot(name, image=False, block_device_mapping_v2=[
            calls.volume_device(root, boot_index=0)]), root

    def act(self, server, status, name, arguments=None, version=None):
        """Have something done to a server, and wait until it is.

        :param status: what the server's is then
        :param name: of the action, see :func:`calls.action`
        :returns: the :class:`Answer`
        """
        answer = self.send(calls.action(server, name, arguments), version)
        self.wait_for_server(server, status)
        return answer

    def reboot(self, server, kind='HARD'):
        """Reboot a server, and wait until it is ACTIVE."""
        return self.act(server, 'ACTIVE', 'reboot', {'type': kind})

    def attachment_ids(self, server):
        """Return a dict of a server's volumes and Nova's attachment ids."""
        shown = self.send(calls.attachments(server), SHOWS_ATTACHMENTS)
        return {row['volumeId']: row['attachment_id']
                for row in shown.body['volumeAttachments']}

    def attach_in_cinder(self, server, volume, **fields):
        """Make an attachment that Nova does not know; return its id."""
        made = self.call(
            'POST', '/attachments', {'attachment': dict(
                fields, volume_uuid=volume, instance_uuid=server)},
            ATTACHMENTS, 'block_storage').body['attachment']['id']
        self.call('POST', '/attachments/%s/action' % made,
                  {'os-complete': None}, ATTACHMENTS, 'block_storage',
                  as_service=True)
        return made

    def server(self, server):
        """Return a server as the API shows it, None when there is none."""
        return self._send(
            'GET', '/servers/' + server, version='2.37').body.get('server')

    def wait_for_server(self, server, *statuses):
        """Wait until a server has a status and no task; return the server.

        :raises VolopsError: it got into ERROR, or did not get there
        """
        def look():
            shown = self.server(server)
            if shown['status'] == 'ERROR' and 'ERROR' not in statuses:
                raise exceptions.VolopsError(
                    'server %s is in ERROR: %s' % (
                        self._named(server),
                        shown.get('fault', {}).get('message')))
            if shown['status'] in statuses and (
                    shown['OS-EXT-STS:task_state'] is None):
                return shown

        return self.wait('%s of server %s' % (
            ' or '.join(statuses), server), look)

    def create_volume(self, name, multiattach=False, **fields):
        """Return the UUID of a new volume of 1 GiB that is available.

        :param name: of the volume, shown in place of its UUID from then on
        :raises VolopsError: it is refused, or does not get there
        """
        volume = dict({'size': 1}, **fields, name=name)
        if multiattach:
            volume['volume_type'] = 'multiattach'
        answer = self.call('POST', '/volumes', {'volume': volume},
                           service='block_storage')
        if not answer.ok:
            raise exceptions.VolopsError('no volume: %s' % answer)
        volume = answer.body['volume']['id']
        self.remember('volume', volume, name)
        self.wait_for_volume(volume, 'available')
        return volume

    def volume(self, volume):
        """Return a volume as the API shows it, None when there is none."""
        return self._send('GET', '/volumes/' + volume,
                          service='block_storage').body.get('volume')

    def reset_volume(self, volume, status):
        """Set the status of a volume, as an administrator can."""
        self.call('POST', '/volumes/%s/action' % volume,
                  {'os-reset_status': {'status': status}},
                  service='block_storage')

    def wait_for_volume(self, volume, *statuses):
        """Wait until a volume has a status; return the volume."""
        def look():
            shown = self.volume(volume)
            return shown if shown['status'] in statuses else None

        return self.wait('%s of volume %s' % (
            ' or '.join(statuses), volume), look)

    def images(self):
        """Return the UUIDs of the images that servers can boot from.

        :raises VolopsError: there are less than two
        """
        found = [image['id'] for image in self._images()
                 if 'hw_disk_bus' not in image]
        if len(found) < 2:
            raise exceptions.VolopsError('the cloud has less than two images')
        return found

    def image_of_bus(self, bus):
        """Return the UUID of an image whose disks are on a bus, or None."""
        return next((image['id'] for image in self._images()
                     if image.get('hw_disk_bus') == bus), None)

    def _images(self):
        return [image for image in self._send(
            'GET', '/images', service='image').body['images']
            if image['status'] == 'active' and
            image['disk_format'] in ('raw', 'qcow2') and
            image.get('image_type') != 'snapshot' and
            image['id'] not in self._names]

    def create_unreadable_image(self, name):
        """Return the UUID of an image that Cinder cannot make sense of.

        Glance does not look into what it is told is compressed, and Cinder
        learns only when it has it that it is not.

        :returns: None where images cannot be made
        """
        answer = self.call('POST', '/images', {
            'name': name, 'disk_format': 'raw',
            'container_format': 'compressed'}, service='image')
        if not answer.ok:
            return None
        image = answer.body['id']
        self.remember('image', image, name)
        self._connection.image.put(
            '/images/%s/file' % image, data=b'no image',
            headers={'Content-Type': 'application/octet-stream'})
        return image

    def image(self):
        """Return the UUID of the image that servers boot from."""
        return self.images()[0]

    def flavors(self):
        """Return the UUIDs of the flavors, the smallest first."""
        flavors = self._send('GET', '/flavors/detail').body['flavors']
        return [flavor['id'] for flavor in sorted(
            flavors, key=lambda flavor: (flavor['ram'], flavor['id']))]

    def remember(self, kind, uuid, name):
        """Have something deleted by :meth:`clean_up`.

        :param kind: ``server``, ``volume`` or ``image``
        :param name: what is shown in place of the UUID
        """
        self._names[uuid] = name
        self._made.append((kind, uuid))

    def clear_leftovers(self):
        """Delete what the scenarios of a killed run have made.

        It is known by its names; only the user's own project is looked at.

        :raises VolopsError: something cannot be deleted
        """
        for kind, service in (('server', 'compute'),
                              ('volume', 'block_storage'),
                              ('image', 'image')):
            answer = self._send('GET', '/%ss' % kind, service=service)
            for found in answer.body.get(kind + 's', ()):
                if (found['name'] or '').startswith(PREFIX):
                    self.remember(kind, found['id'], found['name'])
        self.clean_up()

    def delete_server(self, server):
        """Delete a server and wait until it is gone."""
        self._send('DELETE', '/servers/' + server)
        self.wait('end of server %s' % server, lambda: self._is_gone(server))

    def clean_up(self):
        """Delete what the scenarios made: servers first.

        :raises VolopsError: something cannot be deleted
        """
        servers, volumes, images = (
            [uuid for kind, uuid in self._made if kind == wanted]
            for wanted in ('server', 'volume', 'image'))
        self._made = []
        for server in servers:
            self._send('DELETE', '/servers/' + server)
        for server in servers:
            self.wait('end of server %s' % server,
                      lambda: self._is_gone(server))
        for volume in volumes:
            self.wait('end of volume %s' % volume,
                      lambda: self._delete_volume(volume))
        for image in images:
            self._send('DELETE', '/images/' + image, service='image')

    def _is_gone(self, server):
        shown = self.server(server)
        if shown and shown['status'] == 'ERROR' and (
                shown['OS-EXT-STS:task_state'] is None):
            # The deletion failed, or it was in ERROR and waits for one.
            self._send('DELETE', '/servers/' + server)
        return not shown

    def _delete_volume(self, volume):
        shown = self.volume(volume)
        if not shown:
            return True
        # No server is left, so nothing ends what it had begun.
        for attachment in shown['attachments']:
            self._send('DELETE', '/attachments/' + attachment['attachment_id'],
                       version='3.27', service='block_storage',
                       as_service=True)
        if shown['status'] in STUCK:
            self._send('POST', '/volumes/%s/action' % volume,
                       {'os-reset_status': {'status': 'error'}},
                       service='block_storage')
        return self._send(
            'DELETE', '/volumes/' + volume, service='block_storage').ok
