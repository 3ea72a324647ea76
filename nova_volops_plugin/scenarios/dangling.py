# SPDX-License-Identifier: Apache-2.0

"""A reboot repairs dangling attachments."""

from nova_volops_plugin.scenarios import resources

NAME = 'dangling'
FEATURE = 'dangling_cleanup'


def run(ctx):
    ctx.tell('A server with four volumes; three attachments are tampered with')
    volumes = {what: ctx.create_volume('demo-' + what) for what in (
        'healthy', 'lost', 'replaced', 'unclear')}
    server = ctx.boot('demo-dangling')
    for volume in volumes.values():
        ctx.attach(server, volume)
    if not _forget(ctx, server, volumes['lost']):
        ctx.skip('a reboot repairs what is dangling',
                 'this Cinder deletes no attachment of a server for a user')
        return
    new = _replace(ctx, server, volumes['replaced'])
    _forget(ctx, server, volumes['unclear'])
    ctx.reset_volume(volumes['unclear'], 'error')

    ctx.reboot(server)
    ids = ctx.attachment_ids(server)
    names = {what: volume in ids for what, volume in volumes.items()}
    ctx.claim('the healthy volume is kept',
              names['healthy'] and bool(ctx.disk(server, volumes['healthy'])),
              names)
    ctx.claim('the lost volume is dropped: Cinder has it free', not
              names['lost'] and not ctx.disk(server, volumes['lost']), names)
    if ctx.cloud.guests_run:
        seen = ctx.report(server, volumes['healthy'])
        ctx.claim('the guest has what is kept and not what is dropped',
                  [bool(seen.disk_of(volume)) for volume in volumes.values()]
                  == [what != 'lost' for what in volumes],
                  ', '.join('%s %s' % (disk.name, disk.serial)
                            for disk in seen.disks))
    ctx.claim('the attachment that replaced another is adopted',
              ids.get(volumes['replaced']) == new, '%s, Cinder has %s' % (
                  ids.get(volumes['replaced']), new))
    ctx.claim_volume('and the volume it is for stays in use',
                     volumes['replaced'], 'in-use')
    ctx.claim('the volume in error is kept: nothing is certain of it',
              names['unclear'], names)
    # Cinder lets go of it only then.
    ctx.reset_volume(volumes['unclear'], 'available')


def _attachment(ctx, server, volume):
    listed = ctx.call(
        'GET', '/attachments?instance_id=%s&volume_id=%s' % (server, volume),
        version=resources.ATTACHMENTS, service='block_storage')
    return listed.body['attachments'][0]['id']


def _forget(ctx, server, volume):
    return _delete(ctx, _attachment(ctx, server, volume)).ok


def _replace(ctx, server, volume):
    """Give a volume another attachment of the same server; return its id."""
    old = _attachment(ctx, server, volume)
    new = ctx.attach_in_cinder(server, volume)
    _delete(ctx, old)
    return new


def _delete(ctx, attachment):
    return ctx.call(
        'DELETE', '/attachments/' + attachment,
        version=resources.ATTACHMENTS, service='block_storage',
        as_service=True)
