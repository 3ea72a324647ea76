# SPDX-License-Identifier: Apache-2.0

"""Attachments that only Cinder has are found and deleted.

They are made by hand, as detaches, moves and deletions leave them that fail
half way, and looked at from Cinder, the host and the storage.
"""

import json
import time

from nova_volops_plugin.scenarios import hosts

NAME = 'leftovers'
FEATURE = 'dangling_cleanup'
# Cinder tells whole seconds of the last change of a volume.
_CLOCK_SECONDS = 2
# What the command answers.
NOTHING_FOUND, FOUND, REPAIRED = 0, 3, 4


def run(ctx):
    if ctx.cloud.settled_seconds is None:
        ctx.skip('what only Cinder knows is found and deleted',
                 'this cloud has no nova-manage and no storage to look at')
        return
    _own_host(ctx)
    _stopped(ctx)
    _other_host(ctx)
    _deleted(ctx)


def _own_host(ctx):
    ctx.tell('A detach failed half way: the guest has a disk too many')
    server, volume = _server_with_volume(ctx, 'demo-detached')
    began = time.monotonic()
    ctx.cloud.faults.forget_device(server, volume)
    before = _look(ctx, server, volume)
    ctx.claim('the guest has the disk, which the storage sees, and Cinder the '
              'attachment', before == (True, 1, ['in-use']), before)
    ctx.reboot(server, 'SOFT')
    text = 'a soft reboot changes none of it'
    if time.monotonic() - began > ctx.cloud.settled_seconds - _CLOCK_SECONDS:
        ctx.skip(text, 'a machine that reboots within %d seconds of the '
                 'attach' % ctx.cloud.settled_seconds)
    else:
        after = _look(ctx, server, volume)
        ctx.claim(text, after == before, after)
    _settle(ctx)
    ctx.reboot(server)
    _claim_gone(ctx, 'a hard reboot', server, volume)


def _stopped(ctx):
    ctx.tell('The same of a server that is stopped')
    server, volume = _server_with_volume(ctx, 'demo-stopped')
    ctx.act(server, 'SHUTOFF', 'os-stop')
    ctx.cloud.faults.forget_device(server, volume)
    _settle(ctx)
    before = _look(ctx, server, volume)
    _claim_found(ctx, server, volume, 'delete', '')
    after = _look(ctx, server, volume)
    ctx.claim('a report changes nothing', after == before, after)
    _claim_repaired(ctx, server)
    ctx.wait_for_volume(volume, 'available')
    # The definition of a guest that is off is made anew when it starts.
    used = _look(ctx, server, volume)[1:]
    ctx.claim('the clean-up leaves it to nobody',
              used == (0, ['available', 'free']), used)
    ctx.act(server, 'ACTIVE', 'os-start')
    ctx.claim('the guest starts without the disk',
              not ctx.defined_disk(server, volume), _look(ctx, server, volume))


def _other_host(ctx):
    text = 'an attachment of another host is deleted when that host lets go'
    server, volume = _server_with_volume(ctx, 'demo-moved')
    stray = ctx.create_volume('demo-stray')
    own = hosts.of(ctx, server)
    others = hosts.others(ctx, own)
    if not others:
        ctx.skip(text, hosts.ONE)
        return
    other = others[0]
    ctx.tell('A move left an attachment of the other host')
    # That host could have it, and Nova does not know.
    ctx.attach_in_cinder(server, stray, connector={
        'host': other, 'ip': '127.0.0.1',
        'initiator': 'iqn.2026-11.demo:' + other, 'multipath': False,
        'platform': 'x86_64', 'os_type': 'linux'})
    _settle(ctx)
    with hosts.lost(ctx, other) as lost:
        if lost:
            _claim_found(ctx, server, stray, 'report', 'skipped', '--apply')
    _claim_repaired(ctx, server)
    _claim_gone(ctx, 'the clean-up, once that host is back', server, stray)
    kept = _look(ctx, server, volume)
    ctx.claim('the volume that Nova knows is kept',
              kept == (True, 1, ['in-use']), kept)


def _deleted(ctx):
    ctx.tell('A server is deleted while one of its attachments is forgotten')
    server, volume = _server_with_volume(ctx, 'demo-deleted')
    ctx.cloud.faults.forget_device(server, volume)
    ctx.call('DELETE', '/servers/' + server)
    ctx.wait('the end of server %s' % server,
             lambda: ctx.server(server) is None)
    ctx.tell('It is archived')
    ctx.cloud.nova_manage(
        'db', 'archive_deleted_rows', '--all-cells', '--until-complete')
    _settle(ctx)
    before = _look(ctx, server, volume)
    ctx.claim('Cinder has the attachment of a server that is gone',
              before == (False, 0, ['in-use']), before)
    _claim_repaired(ctx, server)
    _claim_gone(ctx, 'the clean-up', server, volume)


def _server_with_volume(ctx, name):
    volume = ctx.create_volume(name + '-volume')
    server = ctx.boot(name)
    ctx.attach(server, volume)
    ctx.report(server, volume)
    return server, volume


def _settle(ctx):
    """Wait until Nova does not take the last change for one under way."""
    time.sleep(ctx.cloud.settled_seconds + _CLOCK_SECONDS)


def _look(ctx, server, volume):
    """Return what the host, the storage and Cinder have of a volume.

    :returns: whether the guest has the disk, the number of clients of the
        storage that have it open, the volume's status in a list with nothing
        more if it has attachments, and ``free`` if it has none
    """
    shown = ctx.volume(volume)
    return (bool(ctx.defined_disk(server, volume)), ctx.cloud.watchers(volume),
            [shown['status']] + ([] if shown['attachments'] else ['free']))


def _claim_gone(ctx, after, server, volume):
    ctx.wait_for_volume(volume, 'available')
    seen = _look(ctx, server, volume)
    ctx.claim('%s leaves nothing of it' % after,
              seen == (False, 0, ['available', 'free']), seen)


def _claim_found(ctx, server, volume, action, result, *words):
    code, rows = _clean_up(ctx, server, *words)
    found = [(row['volume'], row['known_to'], row['action']) for row in rows]
    ctx.claim('the clean-up %s it' % ('has to leave' if words else 'finds'),
              code == FOUND and found == [(volume, 'cinder', action)] and
              rows[0]['result'].startswith(result), '%d %s' % (code, rows))


def _claim_repaired(ctx, server):
    code, rows = _clean_up(ctx, server, '--apply')
    ctx.claim('it is repaired', code == REPAIRED and {
        row['result'] for row in rows} == {'repaired'}, '%d %s' % (code, rows))
    code, rows = _clean_up(ctx, server, '--apply')
    ctx.claim('nothing more is found', code == NOTHING_FOUND, code)


def _clean_up(ctx, server, *words):
    code, said = ctx.cloud.nova_manage(
        'volume_attachment', 'cleanup', '--json', *words, server)
    ctx.tell('nova-manage volume_attachment cleanup %s -> %d' % (
        ' '.join((*words, server)), code))
    return code, json.loads(said)['attachments']
