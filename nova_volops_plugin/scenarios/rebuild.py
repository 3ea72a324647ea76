# SPDX-License-Identifier: Apache-2.0

"""A rebuild of a volume-backed server, and a refusal by Cinder."""

from nova_volops_plugin.sdk import calls

NAME = 'rebuild'
FEATURE = 'rebuild'


def run(ctx):
    version = ctx.version('rebuild')
    old, new = ctx.images()[:2]
    ctx.tell('A server that boots from a volume')
    server, root = ctx.boot_from_volume('demo-rebuilt', old)
    tags = {old: _tag(ctx, server)}

    ctx.tell('Cinder writes the image')
    answer = ctx.send(calls.rebuild(server, new), version)
    ctx.claim('a rebuild with another image is accepted', answer.ok, answer)
    ctx.claim_server('the server is ACTIVE', server)
    _claim_volume(ctx, root, new, 'the same volume holds the new image')
    if ctx.cloud.guests_run:
        tags[new] = _tag(ctx, server)
        ctx.claim('the guest runs the new image', tags[new] != tags[old],
                  'it was %s and is %s' % (tags[old], tags[new]))
    else:
        ctx.skip('the guest runs the new image',
                 'the guests of this cloud do not run')
    _refused(ctx, version, server, root, old, new, tags)
    _not_connected(ctx, version, server, root, old, tags)
    _failed(ctx, version, server, root, old, tags)


def _refused(ctx, version, server, root, old, new, tags):
    ctx.tell('Cinder refuses to write the image')
    if not ctx.fault('reimage_volume', 403):
        ctx.skip('a refused re-image leaves the server as it was',
                 'Cinder cannot be made to refuse here')
        return
    try:
        answer = ctx.send(calls.rebuild(server, old), version)
        ctx.claim('the rebuild is asked for', answer.ok, answer)
        shown = ctx.claim_server(
            'a refused re-image leaves the server as it was', server)
        _claim_volume(ctx, root, new, 'so is its volume')
        _claim_guest(ctx, shown, root, tags.get(new),
                     'and the guest still runs what it ran')
    finally:
        ctx.heal()


def _not_connected(ctx, version, server, root, old, tags):
    ctx.tell('Cinder does not connect the volume that it wrote')
    if not ctx.fault('attachment_update', 403):
        ctx.skip('a server whose root volume is not connected is in ERROR',
                 'Cinder cannot be made to refuse here')
        return
    try:
        ctx.send(calls.rebuild(server, old), version)
        ctx.claim_server('a server whose root volume is not connected is in '
                         'ERROR', server, 'ERROR')
    finally:
        ctx.heal()
    ctx.send(calls.action(server, 'reboot', {'type': 'HARD'}))
    shown = ctx.claim_server('a hard reboot starts it', server)
    _claim_volume(ctx, root, old, 'its volume is in use')
    _claim_guest(ctx, shown, root, tags.get(old),
                 'and the guest runs what Cinder wrote')


def _failed(ctx, version, server, root, old, tags):
    text = 'a server whose re-image failed is rebuilt once that is fixed'
    image = ctx.create_unreadable_image('demo-unreadable')
    if image is None:
        ctx.skip(text, 'no image can be made here that Cinder cannot write')
        return
    ctx.tell('Cinder fails while it writes the image')
    ctx.send(calls.rebuild(server, image), version)
    shown = ctx.wait_for_server(server, 'ACTIVE', 'SHUTOFF', 'ERROR')
    status = ctx.volume(root)['status']
    ctx.claim('a re-image that fails leaves server and volume in error',
              (shown['status'], status) == ('ERROR', 'error'),
              'the server is %s, the volume is %s: %s' % (
                  shown['status'], status,
                  shown.get('fault', {}).get('message')))
    ctx.send(calls.action(server, 'reboot', {'type': 'HARD'}))
    ctx.claim_server('it is not started without its root volume', server,
                     'ERROR')
    ctx.reset_volume(root, 'reserved')
    answer = ctx.send(calls.rebuild(server, old), version)
    shown = ctx.wait_for_server(server, 'ACTIVE', 'SHUTOFF', 'ERROR')
    tag = shown['status'] == 'ACTIVE' and _tag(ctx, server)
    ctx.claim(text, answer.ok and bool(tag) and tag == tags[old],
              'asked for: %s; the server is %s, the guest runs %s' % (
                  answer, shown['status'], tag or 'not'))
    _claim_volume(ctx, root, old, 'and its volume holds the asked image')


def _tag(ctx, server):
    """Return what the guest says it runs, None where guests are silent."""
    return ctx.report(server).image if ctx.cloud.guests_run else None


def _claim_guest(ctx, shown, root, expected, text):
    """Claim that a guest says what it runs, or has its disk if silent."""
    server = shown['id']
    disk = ctx.disk(server, root) if not ctx.cloud.guests_run else None
    tag = shown['status'] == 'ACTIVE' and _tag(ctx, server)
    ctx.claim(text, bool(disk or tag and tag == expected),
              disk or 'it runs %s' % (tag or 'not'))


def _claim_volume(ctx, volume, image, text):
    found = ctx.volume(volume)
    holds = found.get('volume_image_metadata', {}).get('image_id')
    ctx.claim(text, (found['status'], holds) == ('in-use', image),
              'the volume is %s, its image %s' % (found['status'], holds))
