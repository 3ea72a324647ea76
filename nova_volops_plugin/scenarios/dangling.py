# SPDX-License-Identifier: Apache-2.0

"""Attachments that Nova and Cinder see differently, after a reboot."""

from nova_volops_plugin.sdk import calls

NAME = 'dangling'
FEATURE = 'dangling_cleanup'
# The microversions that the story needs, of Nova and of Cinder.
SHOWS_ATTACHMENTS = '2.89'
ATTACHMENTS = '3.44'


def run(ctx):
    ctx.tell('A server with four volumes; three attachments are tampered with')
    volumes = {what: ctx.create_volume('demo-' + what) for what in (
        'healthy', 'lost', 'replaced', 'unclear')}
    server = ctx.boot('demo-dangling')
    for volume in volumes.values():
        ctx.attach(server, volume)
    if not _forget(ctx, server, volumes['lost']):
        ctx.skip('a reboot mends what is dangling',
                 'this Cinder deletes no attachment of a server for a user')
        return
    new = _replace(ctx, server, volumes['replaced'])
    _forget(ctx, server, volumes['unclear'])
    _reset(ctx, volumes['unclear'], 'error')

    ctx.send(calls.action(server, 'reboot', {'type': 'HARD'}))
    ctx.wait_for_server(server, 'ACTIVE')
    shown = ctx.send(calls.attachments(server), SHOWS_ATTACHMENTS)
    ids = {row['volumeId']: row['attachment_id']
           for row in shown.body['volumeAttachments']}
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
    status = ctx.volume(volumes['replaced'])['status']
    ctx.claim('and the volume it is for stays in use',
              status == 'in-use', 'the volume is ' + status)
    ctx.claim('the volume in error is kept: nothing is certain of it',
              names['unclear'], names)
    # Cinder lets go of it only then.
    _reset(ctx, volumes['unclear'], 'available')


def _attachment(ctx, server, volume):
    listed = ctx.call(
        'GET', '/attachments?instance_id=%s&volume_id=%s' % (server, volume),
        version=ATTACHMENTS, service='block_storage')
    return listed.body['attachments'][0]['id']


def _forget(ctx, server, volume):
    return ctx.call(
        'DELETE', '/attachments/' + _attachment(ctx, server, volume),
        version=ATTACHMENTS, service='block_storage', as_service=True).ok


def _replace(ctx, server, volume):
    """Give a volume another attachment of the same server; return its id."""
    old = _attachment(ctx, server, volume)
    new = ctx.call(
        'POST', '/attachments', {'attachment': {
            'volume_uuid': volume, 'instance_uuid': server}},
        ATTACHMENTS, 'block_storage').body['attachment']['id']
    for method, path, body in (
            ('POST', '/attachments/%s/action' % new, {'os-complete': None}),
            ('DELETE', '/attachments/' + old, None)):
        ctx.call(method, path, body, ATTACHMENTS, 'block_storage',
                 as_service=True)
    return new


def _reset(ctx, volume, status):
    ctx.call('POST', '/volumes/%s/action' % volume,
             {'os-reset_status': {'status': status}}, service='block_storage')
