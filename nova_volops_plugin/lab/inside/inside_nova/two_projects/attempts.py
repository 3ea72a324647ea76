# SPDX-License-Identifier: Apache-2.0

"""Requests of another project's member and of a reader."""

import json

from nova import policy
from nova.tests.functional.api import client

from inside_nova.bad_input import probe
from inside_nova.embedded_nova import images
from inside_nova.fault_matrix import case as matrix_case
from inside_nova.two_projects import owners

STRANGER = 'b' * 32


def run(nova):
    """Yield what came of each request, a dict.

    :param nova: a :class:`cloud.MatrixNova`
    """
    # As in production; Nova's tests let deprecated rules grant more.
    nova.flags(enforce_new_defaults=True, group='oslo_policy')
    policy.reset()
    policy.init(suppress_deprecation_warnings=True)
    case = matrix_case.Case(nova)
    case.calls.pause()
    owned = nova.useFixture(owners.Owners(nova.rules))
    admin = nova.api
    stranger = client.TestOpenStackClient(
        'stranger', admin.base_url, project_id=STRANGER,
        roles=['reader', 'member'])
    its_admin = client.TestOpenStackClient(
        'its-admin', admin.base_url, project_id=STRANGER,
        roles=['reader', 'member', 'admin'])
    reader = client.TestOpenStackClient(
        'reader', admin.base_url, project_id=admin.project_id,
        roles=['reader'])
    for prefix, user, its in (('its-', stranger, its_admin),
                              ('', admin, admin)):
        user.microversion = its.microversion = 'latest'
        nova.api = user
        probe.prepare(case, prefix, its)
        for volume in case.volumes.values():
            owned.of.setdefault(volume, user.project_id)
    nova.api = admin
    before = probe.state(case)
    for who, user, requests in (
            ('stranger', stranger, _of_the_stranger(case)),
            ('reader', reader, _of_the_reader(case))):
        for method, path, body in requests:
            nova.api = user
            code, said = probe.send(case, 'latest', method, path, body)
            nova.api = admin
            after = probe.state(case)
            yield {
                'who': who, 'code': code, 'said': said,
                'what': '%s %s %s' % (method, _named(case, path),
                                      _named(case, json.dumps(body))),
                'changed': probe.difference(before, after)}
            before = after


def _of_the_stranger(case):
    """Yield the requests that must not reach what is another project's."""
    for role in ('active', 'shelved', 'offloaded', 'root'):
        server = '/servers/' + case.servers[role]
        device = '%s/os-volume_attachments/%s' % (server, case.volumes[role])
        yield 'GET', server + '/os-volume_attachments', None
        yield 'GET', device, None
        for volume in ('its-spare', 'spare'):
            yield ('POST', server + '/os-volume_attachments',
                   _attachment(case, volume))
            yield 'PUT', device, _swap(case, volume, role)
        yield 'DELETE', device, None
        yield 'POST', server + '/action', {'rebuild': {
            'imageRef': images.OTHER_IMAGE}}
    for role in ('active', 'shelved', 'offloaded'):
        server = '/servers/' + case.servers['its-' + role]
        devices = server + '/os-volume_attachments'
        for volume in ('spare', 'shared', role):
            for mode in ('ro', 'rw'):
                yield 'POST', devices, _attachment(
                    case, volume, attach_mode=mode)
            yield ('PUT', '%s/%s' % (devices, case.volumes['its-' + role]),
                   _swap(case, volume, role))
            yield 'GET', '%s/%s' % (devices, case.volumes[volume]), None
            yield 'DELETE', '%s/%s' % (devices, case.volumes[volume]), None
            yield ('PUT', '%s/%s' % (devices, case.volumes[volume]),
                   _swap(case, 'its-spare', role))
    for volume in ('spare', 'shared'):
        for count in (1, 2):
            yield 'POST', '/servers', case.boot_request(
                volume, max_count=count)
            yield 'POST', '/servers', case.boot_request(
                root=volume, max_count=count)
    yield 'POST', '/os-server-external-events', {'events': [{
        'name': 'volume-reimaged', 'server_uuid': case.servers['root'],
        'tag': case.volumes['root']}]}


def _of_the_reader(case):
    """Yield the requests that change something, in the own project."""
    for role in ('active', 'shelved', 'offloaded', 'root'):
        server = '/servers/' + case.servers[role]
        device = '%s/os-volume_attachments/%s' % (server, case.volumes[role])
        yield ('POST', server + '/os-volume_attachments',
               _attachment(case, 'spare', attach_mode='ro'))
        yield 'PUT', device, _swap(case, 'spare', role)
        yield 'DELETE', device, None
        yield 'POST', server + '/action', {'rebuild': {
            'imageRef': images.OTHER_IMAGE}}
    yield 'POST', '/servers', case.boot_request('shared', max_count=2)


def _attachment(case, volume, **fields):
    return {'volumeAttachment': dict(
        fields, volumeId=case.volumes[volume])}


def _swap(case, volume, role):
    """Return what a swap of a volume of a server in this role says."""
    copies = {'shelved': True, 'offloaded': False}
    return _attachment(case, volume, **(
        {'copy_data': copies[role]} if role in copies else {}))


def _named(case, text):
    for uuid, role in case.roles.items():
        text = text.replace(uuid, role)
    return text
