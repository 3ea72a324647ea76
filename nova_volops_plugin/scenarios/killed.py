# SPDX-License-Identifier: Apache-2.0

"""Services are killed during operations: nothing is lost or stuck.

It takes some ten minutes, and is told only when it is asked for by name.
"""

import concurrent.futures
import contextlib
import time

import psutil

from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import hosts
from nova_volops_plugin.sdk import calls

NAME = 'killed'
_SERVICES = ('nova-conductor', 'cinder-volume', 'ceph-osd', 'rabbitmq',
             'mariadb')
# What is under way then is completed or undone by nova-compute alone.
_HEALED = (None, 'cinder-api', 'cinder-volume')
# Long enough for the request to be on its way.
_SECONDS = 0.7
# Before, in and after the copy of a volume, or a re-image, more or less.
_COPY_SECONDS = (0.05, 0.25, 0.7, 2)
_REIMAGE_SECONDS = (0.7, 2, 4)


def run(ctx):
    if not ctx.cloud.guests_run:
        ctx.skip('nothing is lost though services are killed',
                 'the guests of this cloud do not run')
        return
    steps = [(_attach, service) for service in (*_SERVICES, None)]
    steps += [(_detach, service) for service in _HEALED]
    steps.append((_rebuild_killed, 'cinder-volume'))
    for seconds in _REIMAGE_SECONDS:
        steps += [
            (_rebuild_overtaken, _reset, seconds),
            (_rebuild_overtaken, _restore, seconds, _deferred_deletes(ctx))]
    for seconds in _REIMAGE_SECONDS:
        steps += [(_rebuild_killed, None, seconds),
                  (_rebuild_deleted, seconds)]
    steps += [(_swap, seconds) for seconds in _COPY_SECONDS]
    for step, *arguments in (*steps, (_swap_deleted,)):
        step(ctx, *arguments)
        # A project has room for the volumes of a few.
        ctx.clean_up()


def _attach(ctx, service):
    kept = ctx.create_volume('demo-kept')
    volume = ctx.create_volume('demo-asked')
    server = ctx.boot('demo-killed')
    ctx.attach(server, kept)
    born = _born(ctx, server, kept)
    where = _kill(ctx, server, service, calls.attach(
        server, volume, attach_mode='ro'), ctx.version('attach_mode'))
    ctx.claim_server('the server is ACTIVE' + where, server)
    if service in _HEALED:
        _claim_healed(ctx, server, volume, where)
    ctx.reboot(server)
    found = _born(ctx, server, kept)
    ctx.claim('what the guest wrote is there' + where, found == born,
              'boot %s wrote first, now it says %s' % (born, found))
    known = ctx.attachment_ids(server)
    if volume in known:
        disk = ctx.disk(server, volume)
        if disk:
            ctx.claim('what got attached is read-only' + where,
                      disk.readonly, disk)
        else:
            answer = ctx.send(calls.detach(server, volume))
            ctx.claim('what the guest did not get is detached' + where,
                      answer.ok, answer)
            ctx.wait_for_volume(volume, 'available')
            known = ctx.attachment_ids(server)
    _claim_agreement(ctx, server, (kept, volume), known, where)
    _claim_freed(ctx, server, (kept, volume), where)


def _detach(ctx, service):
    kept = ctx.create_volume('demo-kept')
    volume = ctx.create_volume('demo-asked')
    server = ctx.boot('demo-killed')
    for each in (kept, volume):
        ctx.attach(server, each)
        _born(ctx, server, each)
    # Nova asks again for a while, so Cinder is down for longer.
    where = _kill(ctx, server, service, calls.detach(server, volume),
                  down=0 if service is None else ctx.cloud.settled_seconds)
    ctx.wait_for_server(server, 'ACTIVE')
    _claim_healed(ctx, server, volume, where)
    if volume in ctx.attachment_ids(server):
        answer = ctx.send(calls.detach(server, volume))
        ctx.claim('it is detached when that is asked again' + where,
                  answer.ok, answer)
        ctx.wait_for_volume(volume, 'available')
    _claim_freed(ctx, server, (kept, volume), where)


def _claim_healed(ctx, server, volume, where):
    """Without a reboot, Nova, Cinder and the guest come to the same."""
    begun = time.monotonic()
    seen = []

    def look():
        known = ctx.attachment_ids(server)
        seen.append((ctx.volume(volume)['status'],
                     bool(ctx.defined_disk(server, volume))))
        return _held(ctx, server, [volume]).get(volume) == known.get(
            volume) and seen[-1] == (
                ('in-use', True) if volume in known else ('available', False))

    try:
        agreed = ctx.wait('agreement on volume %s' % volume, look)
    except exceptions.VolopsError:
        agreed = False
    ctx.claim('Nova, Cinder and the guest agree without a reboot' + where,
              agreed, 'status and disk were %s, and %s after %d s' % (
                  seen[0], seen[-1], time.monotonic() - begun))


def _born(ctx, server, volume):
    """Wait until a guest has written to a volume.

    :returns: which boot was the first to do so, str
    """
    def look():
        disk = ctx.disk(server, volume)
        return disk and disk.seen.writable and disk.seen.born

    return ctx.wait('write to volume %s' % volume, look)


def _boot_from_volume(ctx):
    """Return a server that boots from a volume, the volume, another image."""
    old, new = ctx.images()[:2]
    return (*ctx.boot_from_volume('demo-killed', old), new)


def _rebuild_deleted(ctx, seconds):
    """Delete a server while Cinder re-images its root volume."""
    server, root, new = _boot_from_volume(ctx)
    ctx.send(calls.rebuild(server, new), ctx.version('rebuild'))
    time.sleep(seconds)
    _claim_freed(ctx, server, (root,),
                 ', though it was deleted %s s after a rebuild' % seconds)


def _rebuild_killed(ctx, service, seconds=_SECONDS):
    server, root, new = _boot_from_volume(ctx)
    before = ctx.report(server).image
    call = calls.rebuild(server, new)
    where = _kill(ctx, server, service, call, ctx.version('rebuild'),
                  seconds) + ' after %s s' % seconds
    _claim_rebuilt_again(ctx, server, root, call, before, where)


def _rebuild_overtaken(ctx, overtake, seconds,
                       cloud=contextlib.nullcontext()):
    """Have a server used again while it is rebuilt."""
    server, root, new = _boot_from_volume(ctx)
    before = ctx.report(server).image
    call = calls.rebuild(server, new)
    with cloud:
        ctx.send(call, ctx.version('rebuild'))
        time.sleep(seconds)
        what = overtake(ctx, server)
    _claim_rebuilt_again(
        ctx, server, root, call, before,
        ', though it was %s %s s after a rebuild' % (what, seconds))


def _reset(ctx, server):
    ctx.send(calls.action(server, 'os-resetState', {'state': 'active'}))
    ctx.send(calls.rebuild(server, ctx.images()[0]), ctx.version('rebuild'))
    return 'reset and rebuilt'


@contextlib.contextmanager
def _deferred_deletes(ctx):
    if not ctx.cloud.faults.defer_deletes(True):
        raise exceptions.VolopsError('this cloud deletes servers at once')
    try:
        ctx.cloud.up()
        yield
    finally:
        ctx.cloud.faults.defer_deletes(False)
        ctx.cloud.up()


def _restore(ctx, server):
    ctx.call('DELETE', '/servers/' + server)
    ctx.wait_for_server(server, 'SOFT_DELETED')

    def look():
        shown = ctx.server(server)
        if shown['status'] != 'SOFT_DELETED':
            return True
        if not shown['OS-EXT-STS:task_state']:
            # It is refused while Cinder writes to the root volume.
            ctx.send(calls.action(server, 'restore'))
        return False

    ctx.wait('restore of server %s' % server, look)
    return 'deleted and restored'


def _claim_rebuilt_again(ctx, server, root, call, before, where):
    """What a rebuild left half done is asked for again, and done."""
    shown = ctx.wait_for_server(server, 'ACTIVE', 'SHUTOFF', 'ERROR')
    ctx.tell('The server is %s: %s' % (
        shown['status'], shown.get('fault', {}).get('message')))
    status = ctx.wait_for_volume(
        root, 'in-use', 'reserved', 'available', 'error')['status']
    ctx.claim('the root volume is not free' + where, status != 'available',
              'it is ' + status)
    if status == 'error':
        ctx.reset_volume(root, 'reserved')
    answer = ctx.send(call, ctx.version('rebuild'))
    shown = ctx.wait_for_server(server, 'ACTIVE', 'SHUTOFF', 'ERROR')
    seen = shown['status'] == 'ACTIVE' and ctx.report(server).image
    ctx.claim('the server is rebuilt when that is asked again' + where,
              bool(seen) and seen != before,
              'asked for: %s; the server is %s, the guest runs %s' % (
                  answer, shown['status'], seen or 'not'))
    _claim_agreement(
        ctx, server, (root,), ctx.attachment_ids(server), where)
    _claim_freed(ctx, server, (root,), where)


def _shelve(ctx):
    """Return a shelved server, its volume, a free one, and who wrote first."""
    old = ctx.create_volume('demo-old')
    new = ctx.create_volume('demo-new')
    server = ctx.boot('demo-killed')
    ctx.attach(server, old)
    born = _born(ctx, server, old)
    ctx.act(server, 'SHELVED', 'shelve')
    return server, old, new, born


def _swap_deleted(ctx):
    """Delete a shelved server while its nova-compute is down in a copy."""
    server, old, new, _ = _shelve(ctx)
    compute = 'nova-compute-' + hosts.of(ctx, server)
    ctx.send(calls.swap(server, old, new, copy_data=True),
             ctx.version('shelved'))
    time.sleep(_COPY_SECONDS[1])
    ctx.cloud.faults.kill(compute)
    ctx.call('DELETE', '/servers/' + server)
    ctx.cloud.up()
    where = ', though the server was deleted while %s was down' % compute
    ctx.wait('end of server %s' % server, lambda: ctx.server(server) is None)
    found = ctx.wait('end of the swap', lambda: _settled(ctx, old, new))
    seen = [ctx.cloud.watchers(volume) for volume in (old, new)]
    ctx.claim('both volumes are free and connected to no host' + where,
              found == ['available'] * 2 and seen == [0, 0],
              '%s, connected %s' % (found, seen))
    _claim_no_copy(ctx, where)


def _swap(ctx, seconds):
    """Kill the nova-compute that copies a shelved server's volume."""
    server, old, new, born = _shelve(ctx)
    where = _kill(
        ctx, server, None, calls.swap(server, old, new, copy_data=True),
        ctx.version('shelved'), seconds) + ' after %s s' % seconds
    ctx.wait_for_server(server, 'SHELVED')
    statuses = ctx.wait('end of the swap', lambda: _settled(ctx, old, new))
    ctx.claim('one volume is used and the other is free' + where,
              sorted(statuses) == ['available', 'in-use'], statuses)
    _claim_no_copy(ctx, where)
    _claim_agreement(
        ctx, server, (old, new), ctx.attachment_ids(server), where)
    ctx.act(server, 'ACTIVE', 'unshelve')
    used = old if statuses[0] == 'in-use' else new
    found = _born(ctx, server, used)
    ctx.claim('it has what the guest wrote' + where, found == born,
              'boot %s wrote first, now it says %s' % (born, found))
    _claim_freed(ctx, server, (old, new), where)


def _claim_no_copy(ctx, where):
    copies = [process.pid for process in psutil.process_iter(['name'])
              if process.info['name'] == 'qemu-img']
    ctx.claim('no copy goes on' + where, not copies,
              'qemu-img runs as %s' % (copies or 'none'))


def _settled(ctx, *volumes):
    """Return the statuses of volumes once none of them is about to change.

    What is left over is for the claims to find: it is waited for no longer
    than for anything else.
    """
    statuses = [ctx.volume(volume)['status'] for volume in volumes]
    return statuses if set(statuses) <= {'available', 'in-use'} else None


def _kill(ctx, server, service, call, version=None, seconds=_SECONDS, down=0):
    """Send a request and kill a service; have all services up again.

    :param service: its name, None for the nova-compute of the server
    :param seconds: how long after the request
    :param down: how many seconds it stays down
    :returns: words for the claims
    """
    service = service or 'nova-compute-' + hosts.of(ctx, server)
    ctx.tell('%s is killed' % service)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ctx.send, call, version)
        time.sleep(seconds)
        if not ctx.cloud.faults.kill(service):
            raise exceptions.VolopsError(
                'this cloud cannot kill %s' % service)
        time.sleep(down)
        ctx.cloud.up()
        # What had to answer it may have been killed.
        with contextlib.suppress(exceptions.VolopsError):
            answer.result()
    return ', though %s was killed' % service


def _held(ctx, server, volumes):
    """Return a dict of each volume of a server and Cinder's attachment id."""
    return {volume: row['attachment_id'] for volume in volumes
            for row in ctx.volume(volume)['attachments']
            if row['server_id'] == server}


def _claim_agreement(ctx, server, volumes, known, where):
    """Nova and Cinder name the same attachments of a server."""
    held = _held(ctx, server, volumes)
    ctx.claim('Nova and Cinder agree' + where, held == known,
              'Cinder: %s, Nova: %s' % (held, known))


def _claim_freed(ctx, server, volumes, where):
    ctx.delete_server(server)
    found = {volume: (shown['status'], shown['attachments'])
             for volume in volumes for shown in [ctx.volume(volume)]}
    ctx.claim('all volumes are free without the server' + where,
              set(status for status, _rows in found.values()) == {'available'}
              and not any(rows for _status, rows in found.values()), found)
