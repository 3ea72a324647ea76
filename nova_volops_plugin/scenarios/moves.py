# SPDX-License-Identifier: Apache-2.0

"""A volume stays in its attach_mode whatever its server goes through."""

from nova_volops_plugin.scenarios import hosts
from nova_volops_plugin.sdk import calls

NAME = 'moves'
FEATURE = 'attach_mode'


def run(ctx):
    version = ctx.version('attach_mode')
    ctx.tell('A server on a volume, with a ro and a rw one')
    root = ctx.create_volume('demo-root', imageRef=ctx.image())
    volumes = {mode: ctx.create_volume('demo-' + mode)
               for mode in ('ro', 'rw')}
    server = ctx.boot('demo-moving', image=False, block_device_mapping_v2=[
        calls.volume_device(root, boot_index=0)])
    for mode, volume in volumes.items():
        answer = ctx.attach(server, volume, version, attach_mode=mode)
        ctx.claim('a volume is attached with attach_mode ' + mode,
                  answer.ok, answer)
    for name, move in _MOVES:
        text = '%s keeps both volumes in their modes' % name
        if not answer.ok:
            ctx.claim(text, False, 'they are not attached')
            continue
        before = hosts.of(ctx, server)
        missing = move(ctx, server)
        if missing:
            ctx.skip(text, missing)
        else:
            _claim(ctx, text, server, volumes, before)


def _claim(ctx, text, server, volumes, before):
    disks = {mode: ctx.disk(server, volume)
             for mode, volume in volumes.items()}
    ctx.claim(
        text, bool(disks['ro'] and disks['ro'].readonly and
                   disks['rw'] and disks['rw'].writable),
        'from %s to %s; %s' % (before, hosts.of(ctx, server), '; '.join(
            '%s: %s' % (mode, disk or 'the guest has no such disk')
            for mode, disk in disks.items())))


def _act(ctx, server, action, status, arguments=None, version=None):
    ctx.send(calls.action(server, action, arguments), version)
    ctx.wait_for_server(server, status)


def _stop_and_start(ctx, server):
    _act(ctx, server, 'os-stop', 'SHUTOFF')
    _act(ctx, server, 'os-start', 'ACTIVE')


def _shelve_and_unshelve(ctx, server):
    # A server on a volume leaves its host at once.
    _act(ctx, server, 'shelve', 'SHELVED_OFFLOADED')
    _act(ctx, server, 'unshelve', 'ACTIVE')


def _resize(ctx, server):
    _act(ctx, server, 'resize', 'VERIFY_RESIZE',
         {'flavorRef': ctx.flavors()[1]})
    _act(ctx, server, 'confirmResize', 'ACTIVE')


def _resize_and_revert(ctx, server):
    _act(ctx, server, 'resize', 'VERIFY_RESIZE',
         {'flavorRef': ctx.flavors()[0]})
    _act(ctx, server, 'revertResize', 'ACTIVE')


def _rebuild(ctx, server):
    _act(ctx, server, 'rebuild', 'ACTIVE', {'imageRef': ctx.image()})


def _cold_migrate(ctx, server):
    if ctx.cloud.hosts < 2:
        return hosts.ONE
    _act(ctx, server, 'migrate', 'VERIFY_RESIZE')
    _act(ctx, server, 'confirmResize', 'ACTIVE')


def _live_migrate(ctx, server):
    if ctx.cloud.hosts < 2:
        return hosts.ONE
    before = hosts.of(ctx, server)
    # The answer says that it has begun, not that the server is busy.
    ctx.send(calls.action(server, 'os-migrateLive', {
        'host': None, 'block_migration': 'auto'}), '2.30')
    ctx.wait('end of the live migration',
             lambda: hosts.of(ctx, server) != before)
    ctx.wait_for_server(server, 'ACTIVE')


def _evacuate(ctx, server):
    if ctx.cloud.hosts < 2:
        return hosts.ONE
    with hosts.lost(ctx, hosts.of(ctx, server)) as lost:
        if not lost:
            return 'this cloud cannot lose a host'
        _act(ctx, server, 'evacuate', 'ACTIVE', {}, hosts.FORCED_DOWN)


_MOVES = (
    ('a stop and start', _stop_and_start),
    ('shelving and unshelving', _shelve_and_unshelve),
    ('a resize', _resize),
    ('a reverted resize', _resize_and_revert),
    ('a rebuild', _rebuild),
    ('a cold migration', _cold_migrate),
    ('a live migration', _live_migrate),
    ('an evacuation', _evacuate),
)
