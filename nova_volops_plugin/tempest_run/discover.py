# SPDX-License-Identifier: Apache-2.0

"""Queries a cloud for Tempest's configuration."""

import dataclasses

from nova_volops_plugin import exceptions

# What block storage is called in catalogs, the official name first.
_VOLUME_TYPES = ('block-storage', 'volumev3', 'block-store')


@dataclasses.dataclass(frozen=True)
class Facts:
    """What a cloud answers.

    :param image: id of the image that servers boot from
    :param other_image: id of another one, for rebuilds
    :param flavor: id of the smallest flavor
    :param other_flavor: id of a larger one, for resizes
    :param network: name of the network that all projects share
    :param hosts: the number of compute hosts that are up
    :param volume_type: the type of the block storage service in the catalog
    :param multiattach_type: name of the type of volumes that several servers
        can have, None when there is none
    :param microversion: the newest one of the compute service
    """

    image: str
    other_image: str
    flavor: str
    other_flavor: str
    network: str
    hosts: int
    volume_type: str = 'block-storage'
    multiattach_type: str | None = None
    microversion: str = '2.1'


def facts(connection):
    """Return the :class:`Facts` of a cloud.

    :param connection: an openstack.connection.Connection of an administrator
    :raises VolopsError: naming what the cloud lacks
    """
    # Newest first, as the image service lists them; an image that asks for a
    # bus of its own is for tests of that.
    images = sorted(
        (image for image in connection.image.images()
         if image.status == 'active' and not image.hw_disk_bus),
        key=lambda image: (image.created_at, image.id), reverse=True)
    flavors = sorted(
        connection.compute.flavors(),
        key=lambda flavor: (flavor.ram, flavor.disk, flavor.id))
    networks = [network for network in connection.network.networks()
                if network.is_shared and not network.is_router_external]
    hosts = [service for service in connection.compute.services(
        binary='nova-compute')
        if (service.state, service.status) == ('up', 'enabled')]
    for kind, found, wanted in (
            ('active images', images, 2), ('flavors', flavors, 2),
            ('shared networks', networks, 1), ('compute hosts', hosts, 1)):
        if len(found) < wanted:
            raise exceptions.VolopsError(
                'the cloud has %d %s, and Tempest needs %d; make them, or '
                'start a cloud by "nova-volops cloud up --profile real"' %
                (len(found), kind, wanted))
    return Facts(
        image=images[0].id, other_image=images[1].id, flavor=flavors[0].id,
        other_flavor=flavors[1].id, network=networks[0].name,
        hosts=len(hosts), volume_type=_volume_type(connection),
        multiattach_type=_multiattach_type(connection),
        microversion='%d.%d' % connection.compute.get_endpoint_data(
        ).max_microversion)


def _multiattach_type(connection):
    return min((kind.name for kind in connection.block_storage.types()
                if kind.extra_specs.get('multiattach') == '<is> True'),
               default=None)


def _volume_type(connection):
    access = connection.session.auth.get_access(connection.session)
    types = {entry['type'] for entry in access.service_catalog.catalog}
    for name in _VOLUME_TYPES:
        if name in types:
            return name
    raise exceptions.VolopsError(
        'the cloud has no block storage: its catalog lists %s' %
        ', '.join(sorted(types)))
