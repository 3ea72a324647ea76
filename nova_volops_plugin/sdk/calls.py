# SPDX-License-Identifier: Apache-2.0

"""The requests of the features to the compute API."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Call:
    """One request.

    :param method: the HTTP method
    :param path: below the compute endpoint
    :param body: what is sent as JSON, None for nothing
    """

    method: str
    path: str
    body: dict | None = None

    def send(self, adapter, version=None):
        """Return the requests.Response, whatever its status is.

        :param adapter: a keystoneauth1.adapter.Adapter, as the proxies of an
            openstack.connection.Connection are
        :param version: the microversion
        """
        return adapter.request(
            self.path, self.method, json=self.body, microversion=version,
            raise_exc=False)


def attachments(server):
    """List the attachments of a server.

    :param server: the server's UUID
    """
    return Call('GET', _attachments(server))


def attach(server, volume, **fields):
    """Attach a volume.

    :param server: the server's UUID
    :param volume: the volume's UUID
    :param fields: for example ``attach_mode``, ``tag`` or
        ``delete_on_termination``
    """
    return Call('POST', _attachments(server),
                {'volumeAttachment': dict(fields, volumeId=volume)})


def swap(server, old, new, **fields):
    """Put a volume into the place of an attached one.

    :param server: the server's UUID
    :param old: the UUID of the attached volume
    :param new: the UUID of the other one
    :param fields: ``copy_data``, which a shelved server needs
    """
    return Call('PUT', '%s/%s' % (_attachments(server), old),
                {'volumeAttachment': dict(fields, volumeId=new)})


def detach(server, volume):
    """Detach a volume.

    :param server: the server's UUID
    :param volume: the volume's UUID
    """
    return Call('DELETE', '%s/%s' % (_attachments(server), volume))


def create_server(name, flavor, networks, **fields):
    """Create servers.

    :param name: of the server
    :param flavor: the flavor's id
    :param networks: ``auto``, ``none`` or a list of dict
    :param fields: more fields of the server, for example ``imageRef``,
        ``block_device_mapping_v2`` or ``max_count``, and
        ``scheduler_hints``
    """
    hints = fields.pop('scheduler_hints', None)
    body = {'server': dict(
        fields, name=name, flavorRef=flavor, networks=networks)}
    if hints:
        body['os:scheduler_hints'] = hints
    return Call('POST', '/servers', body)


def action(server, name, arguments=None):
    """Have something done to a server.

    :param server: the server's UUID
    :param name: of the action, for example ``unshelve``
    :param arguments: what it needs, a dict
    """
    return Call('POST', '/servers/%s/action' % server, {name: arguments})


def rebuild(server, image, **fields):
    """Write an image to a server's root disk.

    :param server: the server's UUID
    :param image: the image's UUID
    :param fields: more fields of the action, for example ``name``
    """
    return action(server, 'rebuild', dict(fields, imageRef=image))


def volume_device(volume, boot_index=-1, **fields):
    """Return the block device of a volume, for create_server.

    :param volume: the volume's UUID
    :param boot_index: 0 for the root disk, -1 for a data disk
    :param fields: for example ``attach_mode``
    """
    return dict({'delete_on_termination': False}, **fields, uuid=volume,
                boot_index=boot_index, source_type='volume',
                destination_type='volume')


def image_device(image):
    """Return the block device of a local root disk, for create_server.

    :param image: the image's UUID
    """
    return {'boot_index': 0, 'source_type': 'image', 'uuid': image,
            'destination_type': 'local', 'delete_on_termination': True}


def _attachments(server):
    return '/servers/%s/os-volume_attachments' % server
