# SPDX-License-Identifier: Apache-2.0

"""What a run leaves behind in a cloud."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Inventory:
    """What the users of a cloud have, by kind.

    :param servers: ids
    :param volumes: ids
    :param attachments: ids of the volumes' attachments
    :param ports: ids of the servers' ports
    :param allocations: pairs of a resource provider and its consumer
    """

    servers: frozenset
    volumes: frozenset
    attachments: frozenset
    ports: frozenset
    allocations: frozenset

    def since(self, before):
        """What is here and was not there before.

        :param before: an earlier :class:`Inventory`
        :returns: a list of str such as ``volume 8d1f…``
        """
        found = []
        for field in dataclasses.fields(self):
            new = getattr(self, field.name) - getattr(before, field.name)
            kind = field.name.rstrip('s')
            found += ['%s %s' % (kind, item if isinstance(item, str)
                                 else ' of '.join(item))
                      for item in sorted(new)]
        return found


def take(connection):
    """Look at a cloud with an administrator's eyes.

    :param connection: an openstack.connection.Connection
    :returns: an :class:`Inventory`
    """
    attachments = connection.block_storage.get(
        '/attachments?all_tenants=1', microversion='3.27').json()
    return Inventory(
        servers=_ids(connection.compute.servers(all_projects=True)),
        volumes=_ids(connection.block_storage.volumes(all_projects=True)),
        attachments=frozenset(
            attachment['id'] for attachment in attachments['attachments']),
        ports=frozenset(
            port.id for port in connection.network.ports()
            if (port.device_owner or '').startswith('compute:')),
        allocations=frozenset(_allocations(connection)))


def _ids(resources):
    return frozenset(resource.id for resource in resources)


def _allocations(connection):
    for provider in connection.placement.get(
            '/resource_providers').json()['resource_providers']:
        body = connection.placement.get(
            '/resource_providers/%s/allocations' % provider['uuid']).json()
        for consumer in body['allocations']:
            yield consumer, provider['uuid']
