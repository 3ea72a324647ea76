# SPDX-License-Identifier: Apache-2.0

"""A guest cannot write to a volume that is attached read-only."""

from nova_volops_plugin.scenarios import context
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

NAME = 'attach_mode'
FEATURE = 'attach_mode'


def run(ctx):
    version = ctx.version('attach_mode')
    before = microversions.before(version)
    # Two bases may have the same numbers.
    base = ctx.operations.discovery.base()
    ctx.claim('the API itself tells that it knows attach_mode, from %s on' %
              version,
              base and microversions.of(base, 'attach_mode') == version,
              'it answers as the series does on %s' % base if base else
              'it answers as no series does')
    ctx.tell('A server, a volume it may only read, one it may write to')
    server = ctx.boot('demo-server')
    readable = ctx.create_volume('demo-ro')
    writable = ctx.create_volume('demo-rw')

    answer = ctx.attach(server, readable, version, attach_mode='ro')
    ctx.claim('a volume is attached with attach_mode ro', answer.ok, answer)
    answer = ctx.attach(server, writable, version, attach_mode='rw')
    ctx.claim('a volume is attached with attach_mode rw', answer.ok, answer)

    shown = ctx.send(calls.attachments(server), version)
    modes = {attachment['volumeId']: attachment.get('attach_mode')
             for attachment in shown.body.get('volumeAttachments', ())}
    ctx.claim('the API shows both modes',
              modes == {readable: 'ro', writable: 'rw'}, modes or shown)
    ctx.claim_disk('the guest cannot write to the ro volume',
                   server, readable, readonly=True)
    ctx.claim_disk('the guest can write to the rw volume', server, writable)

    ctx.tell('A hard reboot makes the guest anew')
    ctx.reboot(server)
    ctx.claim_disk('the volume is still ro after a hard reboot',
                   server, readable, readonly=True)

    _refusals(ctx, server, version, before)
    _at_boot(ctx, version)


def _refusals(ctx, server, version, before):
    ctx.tell('What is refused')
    spare = ctx.create_volume('demo-spare')
    for mode in ('wo', 'RO', '', None):
        answer = ctx.attach(server, spare, version, attach_mode=mode)
        ctx.claim('attach_mode %r is a bad request' % (mode,),
                  answer.code == 400, answer)
    answer = ctx.attach(server, spare, before, attach_mode='ro')
    ctx.claim('%s does not know attach_mode' % before,
              answer.code == 400, answer)
    ctx.claim_volume('what was refused changed nothing', spare)
    shown = ctx.send(calls.attachments(server), before)
    ctx.claim('%s does not show attach_mode' % before,
              shown.ok and 'attach_mode' not in str(shown.body), shown)
    answer = ctx.create_server(
        'demo-local', version=version, block_device_mapping_v2=[
            calls.image_device(ctx.image()), {
                'boot_index': -1, 'source_type': 'blank',
                'destination_type': 'local', 'attach_mode': 'ro'}])
    ctx.claim('a local disk takes no attach_mode', answer.code == 400, answer)


def _at_boot(ctx, version):
    ctx.tell('A server that has its volume from the start')
    volume = ctx.create_volume('demo-boot-ro')
    answer = ctx.create_server(
        'demo-boot', version=version, block_device_mapping_v2=[
            calls.image_device(ctx.image()),
            calls.volume_device(volume, attach_mode='ro')])
    ctx.claim('a server is created with a ro volume', answer.ok, answer)
    text = 'the guest cannot write to the volume it was created with'
    if not answer.ok:
        ctx.claim(text, False, context.NO_DISK)
        return
    server = answer.body['server']['id']
    ctx.wait_for_server(server, 'ACTIVE')
    ctx.claim_disk(text, server, volume, readonly=True)
