# SPDX-License-Identifier: Apache-2.0

"""The volumes of a shelved offloaded server."""

from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

NAME = 'shelved'
FEATURE = 'shelved_swap'


def run(ctx):
    version = ctx.version('shelved')
    # The last version without any of the series.
    before = microversions.before(ctx.version('attach_mode'))
    ctx.tell('A server is shelved and leaves its host')
    old = ctx.create_volume('demo-old')
    new = ctx.create_volume('demo-new')
    server = ctx.boot('demo-shelved')
    ctx.attach(server, old)
    ctx.act(server, 'SHELVED', 'shelve')
    ctx.act(server, 'SHELVED_OFFLOADED', 'shelveOffload')

    ctx.tell('The volume is swapped for another while there is no guest')
    answer = ctx.send(calls.swap(server, old, new), before)
    ctx.claim('%s refuses the swap' % before, answer.code == 409, answer)
    answer = ctx.send(calls.swap(server, old, new, copy_data=True), version)
    ctx.claim('a swap that relies on a copy is refused', answer.code == 409,
              answer)
    answer = ctx.send(calls.swap(server, old, new, copy_data=False), version)
    ctx.claim('the swap is accepted', answer.ok, answer)
    if answer.ok:
        # Without a guest Cinder has it reserved, or in use already.
        ctx.wait_for_volume(new, 'in-use', 'reserved')
        ctx.wait_for_volume(old, 'available')
    _claim_volumes(ctx, server, version, {new},
                   'the server has the new volume in place of the old one')
    ctx.claim_volume('the old volume is still there, and free', old)

    ctx.tell('What else an offloaded server takes')
    shared = ctx.create_volume('demo-shared', multiattach=True)
    tagged = ctx.create_volume('demo-tagged')
    plain = ctx.create_volume('demo-plain')
    answer = ctx.attach(server, shared, version)
    ctx.claim('a multiattach volume is attached', answer.ok, answer)
    answer = ctx.attach(server, tagged, version, tag='data')
    ctx.claim('a volume is attached with a tag', answer.ok, answer)
    answer = ctx.attach(server, plain, before)
    ctx.claim('a volume is attached that needs nothing new', answer.ok, answer)
    _detach(ctx, server, before)

    ctx.tell('Back on a host')
    ctx.act(server, 'ACTIVE', 'unshelve')
    found = {name: ctx.disk(server, volume) for name, volume in (
        ('demo-old', old), ('demo-new', new), ('demo-shared', shared),
        ('demo-tagged', tagged), ('demo-plain', plain))}
    ctx.claim(
        'the guest has the four volumes, in the order of their attaching',
        found['demo-old'] is None and
        [_name(found[name]) for name in (
            'demo-new', 'demo-shared', 'demo-tagged', 'demo-plain')] ==
        ['vdb', 'vdc', 'vdd', 'vde'],
        {name: _name(disk) for name, disk in found.items() if disk})
    shown = ctx.send(calls.attachments(server), version)
    names = {row['volumeId']: row['device']
             for row in shown.body.get('volumeAttachments', ())}
    ctx.claim(
        'the API names the devices as the guest has them',
        bool(names) and names == {
            disk.serial: '/dev/' + disk.device
            for disk in found.values() if disk}, names or shown)


def _detach(ctx, server, version):
    volume = ctx.create_volume('demo-detached')
    ctx.attach(server, volume, version)
    answer = ctx.send(calls.detach(server, volume), version)
    ctx.claim('a volume is detached', answer.ok, answer)
    ctx.wait_for_volume(volume, 'available')
    other = ctx.boot('demo-other')
    answer = ctx.attach(other, volume)
    disk = ctx.disk(other, volume)
    ctx.claim('a volume that is detached is free for another server',
              bool(answer.ok and disk and disk.writable), disk or answer)


def _name(disk):
    """Return what the guest calls a disk, or is told to where it is mute."""
    return disk and (disk.seen.name if disk.seen else disk.device)


def _claim_volumes(ctx, server, version, expected, text):
    shown = ctx.send(calls.attachments(server), version)
    found = [row['volumeId'] for row in shown.body.get(
        'volumeAttachments', ())]
    ctx.claim(text, shown.ok and set(found) == expected, found or shown)
