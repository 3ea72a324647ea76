# SPDX-License-Identifier: Apache-2.0

"""A volume swap of a SHELVED server, still on its host."""

from nova_volops_plugin.scenarios import context
from nova_volops_plugin.sdk import calls

NAME = 'swap_on_host'
FEATURE = 'shelved_swap'


def run(ctx):
    version = ctx.version('shelved')
    if not ctx.cloud.guests_run:
        ctx.skip('a swap on the host keeps the data',
                 'the guests of this cloud have no data')
        return
    ctx.tell('A guest writes to a volume, its server is shelved on its host')
    old = ctx.create_volume('demo-old')
    new = ctx.create_volume('demo-new')
    server = ctx.boot('demo-swapped')
    ctx.attach(server, old)
    before = ctx.disk(server, old)
    while before.seen.born is None:
        before = ctx.disk(server, old)
    ctx.act(server, 'SHELVED', 'shelve')

    answer = ctx.send(calls.swap(server, old, new, copy_data=True), version)
    ctx.claim('a swap is accepted while the server is SHELVED',
              answer.ok, answer)
    if answer.ok:
        ctx.wait_for_volume(new, 'in-use', 'reserved')
        ctx.wait_for_volume(old, 'available')
    # It still has the task of the swap when the old volume is available.
    ctx.claim_server('the server is SHELVED as before', server, 'SHELVED')
    ctx.act(server, 'ACTIVE', 'unshelve')
    disk = ctx.disk(server, new)
    ctx.claim('the new volume stands in the place of the old one',
              bool(disk and disk.device == before.device),
              disk or context.NO_DISK)
    ctx.claim('the new volume has what was written to the old one',
              bool(disk and disk.seen.born == before.seen.born),
              'boot %s wrote it, boot %s is found' % (
                  before.seen.born, disk and disk.seen.born))
    _shared(ctx, version)


def _shared(ctx, version):
    """What another guest writes to is not copied: the copy would be torn."""
    missing = ctx.missing('attach_mode')
    if missing:
        ctx.skip('a swap is refused while another guest writes to the volume',
                 missing)
        return
    ctx.tell('A guest writes to a volume that a shelved server shares')
    shared = ctx.create_volume('demo-written', multiattach=True)
    new = ctx.create_volume('demo-torn', multiattach=True)
    writer = ctx.boot('demo-writer')
    reader = ctx.boot('demo-reader')
    ctx.attach(writer, shared, ctx.version('attach_mode'))
    ctx.attach(reader, shared, ctx.version('attach_mode'), attach_mode='ro')
    ctx.act(reader, 'SHELVED', 'shelve')
    before = _look(ctx, shared, new)
    answer = ctx.send(
        calls.swap(reader, shared, new, copy_data=True), version)
    ctx.claim('a swap is refused while another guest writes to the volume',
              answer.code == 400, answer)
    after = _look(ctx, shared, new)
    ctx.claim('nothing has changed for either volume', before == after,
              after)
    ctx.claim_disk('the other guest still writes', writer, shared)


def _look(ctx, *volumes):
    found = [ctx.volume(volume) for volume in volumes]
    return ['%s for %d' % (volume['status'], len(volume['attachments']))
            for volume in found]
