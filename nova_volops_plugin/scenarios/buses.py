# SPDX-License-Identifier: Apache-2.0

"""Read-only attachments are refused on buses that cannot enforce them."""

from nova_volops_plugin.scenarios import context
from nova_volops_plugin.sdk import calls

NAME = 'buses'
FEATURE = 'attach_mode'


def run(ctx):
    version = ctx.version('attach_mode')
    images = {bus: ctx.image_of_bus(bus) for bus in ('scsi', 'ide', 'sata')}
    if None in images.values():
        ctx.skip('only buses with read-only disks take a ro volume',
                 'this cloud has no images for other buses')
        return
    ctx.tell('A server whose disks are on virtio-scsi')
    server = ctx.boot('demo-scsi', image=False, imageRef=images['scsi'])
    for mode in ('ro', 'rw'):
        volume = ctx.create_volume('demo-scsi-' + mode)
        ctx.attach(server, volume, version, attach_mode=mode)
        disk = ctx.disk(server, volume)
        ctx.claim('on virtio-scsi the guest has a %s volume' % mode,
                  bool(disk and disk.device.startswith('sd') and (
                      disk.readonly if mode == 'ro' else disk.writable)),
                  disk or context.NO_DISK)
    for bus in ('ide', 'sata'):
        _refusals(ctx, version, bus, images[bus])


def _refusals(ctx, version, bus, image):
    ctx.tell('QEMU has no read-only disks on ' + bus)
    volume = ctx.create_volume('demo-' + bus)
    answer = ctx.create_server(
        'demo-%s-refused' % bus, image=False, imageRef=image,
        version=version, block_device_mapping_v2=[
            calls.image_device(image),
            calls.volume_device(volume, attach_mode='ro')])
    ctx.claim('a server on %s is not created with a ro volume' % bus,
              answer.code == 400 and bus in str(answer.body), answer)
    server = ctx.boot('demo-' + bus, image=False, imageRef=image)
    answer = ctx.attach(server, volume, version, attach_mode='ro')
    ctx.claim('a ro volume is not attached to a server on ' + bus,
              answer.code == 400 and bus in str(answer.body), answer)
    ctx.claim_volume('the refusal on %s changed nothing' % bus, volume)
