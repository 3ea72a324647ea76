# SPDX-License-Identifier: Apache-2.0

"""Finds resources that a run leaves in a cloud."""


def take(connection):
    """Look at a cloud with an administrator's eyes.

    :param connection: an openstack.connection.Connection
    :returns: a dict of what its users have: by kind a set of str
    """
    attachments = connection.block_storage.get(
        '/attachments?all_tenants=1', microversion='3.27').json()
    return {
        'server': _ids(connection.compute.servers(all_projects=True)),
        'volume': _ids(connection.block_storage.volumes(all_projects=True)),
        'attachment': {row['id'] for row in attachments['attachments']},
        'port': _ids(port for port in connection.network.ports()
                     if (port.device_owner or '').startswith('compute:')),
        'allocation': set(_allocations(connection)),
    }


def new(before, after):
    """Return what was not there before, a list of str such as ``volume 8d1f…``

    :param before: what :func:`take` returned earlier
    :param after: what it returned later
    """
    return ['%s %s' % (kind, item) for kind, items in after.items()
            for item in sorted(items - before[kind])]


def _ids(resources):
    return {resource.id for resource in resources}


def _allocations(connection):
    for provider in connection.placement.get(
            '/resource_providers').json()['resource_providers']:
        body = connection.placement.get(
            '/resource_providers/%s/allocations' % provider['uuid']).json()
        for consumer in body['allocations']:
            yield '%s of %s' % (consumer, provider['uuid'])
