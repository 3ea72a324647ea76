# SPDX-License-Identifier: Apache-2.0

"""Several servers of one request share a multiattach volume."""

import concurrent.futures

from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

NAME = 'multi_create'
FEATURE = 'multi_create'
COUNT = 5


def run(ctx):
    version = ctx.version('multi_create')
    before = microversions.before(version)
    ctx.tell('One volume for %d servers' % COUNT)
    shared = ctx.create_volume('demo-shared', multiattach=True)
    answer = _create(ctx, before, shared)
    ctx.claim('%s refuses several servers with one volume' % before,
              answer.code == 400, answer)
    single = ctx.create_volume('demo-single')
    answer = _create(ctx, version, single)
    ctx.claim('a volume without multiattach stays with one server',
              answer.code == 400, answer)
    statuses = {name: ctx.volume(volume)['status'] for name, volume in (
        ('demo-shared', shared), ('demo-single', single))}
    ctx.claim('what was refused reserved no volume',
              set(statuses.values()) == {'available'}, statuses)

    answer = _create(ctx, version, shared, attach_mode='ro')
    ctx.claim('several servers are created with a multiattach volume',
              answer.ok, answer)
    servers = []
    if answer.ok:
        servers = ctx.reserved(answer.body['reservation_id'])
        for server in servers:
            ctx.wait_for_server(server, 'ACTIVE')
    ctx.claim('all of them are ACTIVE', len(servers) == COUNT,
              '%d servers' % len(servers))
    attachments = ctx.volume(shared)['attachments']
    ids = {row['attachment_id'] for row in attachments}
    holders = {row['server_id'] for row in attachments}
    ctx.claim('Cinder has an attachment of its own for each',
              bool(servers) and len(ids) == COUNT and holders == set(servers),
              '%d attachments of %d servers' % (len(ids), len(holders)))
    disks = [ctx.disk(server, shared) for server in servers]
    ctx.claim(
        'each guest shares the volume and cannot write to it',
        bool(disks) and all(
            disk and disk.shareable and disk.readonly for disk in disks),
        '; '.join(str(disk) for disk in disks) or 'there are no guests')
    for server in servers:
        ctx.delete_server(server)
    _several_requests(ctx, version, shared)


def _several_requests(ctx, version, shared):
    """Ask for as many servers by requests of their own, all at once."""
    ctx.tell('%d requests at once for one volume' % COUNT)
    ctx.wait_for_volume(shared, 'available')
    with concurrent.futures.ThreadPoolExecutor(COUNT) as pool:
        answers = list(pool.map(
            lambda number: _create(ctx, version, shared, count=1),
            range(COUNT)))
    refused = [answer for answer in answers if not answer.ok]
    ctx.claim('each of several requests at once is accepted, or refused by '
              'the name of the volume',
              len(refused) < COUNT and all(
                  answer.code in (400, 409) and shared in str(answer.body)
                  for answer in refused),
              ', '.join(map(str, answers)))
    servers = [server for answer in answers if answer.ok
               for server in ctx.reserved(answer.body['reservation_id'])]
    statuses = [ctx.wait_for_server(server, 'ACTIVE', 'ERROR')['status']
                for server in servers]
    ctx.claim('the servers of those that were accepted are ACTIVE',
              bool(servers) and statuses == ['ACTIVE'] * len(servers),
              ', '.join(statuses))
    attachments = ctx.volume(shared)['attachments']
    ctx.claim('those that were refused left no attachment',
              bool(servers) and
              {row['server_id'] for row in attachments} == set(servers),
              '%d attachments' % len(attachments))


def _create(ctx, version, volume, count=COUNT, **fields):
    return ctx.create_servers('demo-multi', count, version=version, **{
        'block_device_mapping_v2': [
            calls.image_device(ctx.image()),
            calls.volume_device(volume, **fields)]})
