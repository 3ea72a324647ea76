# SPDX-License-Identifier: Apache-2.0

"""A volume keeps its attach_mode through all moves of its server."""

import functools

from nova_volops_plugin.scenarios import context
from nova_volops_plugin.scenarios import hosts
from nova_volops_plugin.sdk import calls

NAME = 'moves'
FEATURE = 'attach_mode'
_BETWEEN_HOSTS = ('a cold migration', 'a live migration', 'an evacuation')


def run(ctx):
    version = ctx.version('attach_mode')
    ctx.tell('A server on a volume, with a ro and a rw one')
    volumes = {mode: ctx.create_volume('demo-' + mode)
               for mode in ('ro', 'rw')}
    server, _root = ctx.boot_from_volume('demo-moving', ctx.image())
    for mode, volume in volumes.items():
        answer = ctx.attach(server, volume, version, attach_mode=mode)
        ctx.claim('a volume is attached with attach_mode ' + mode,
                  answer.ok, answer)
    for name, move in _moves(ctx).items():
        text = '%s keeps both volumes in their modes' % name
        if not answer.ok:
            ctx.claim(text, False, 'they are not attached')
            continue
        before = hosts.of(ctx, server)
        missing = (hosts.ONE if name in _BETWEEN_HOSTS and
                   ctx.cloud.hosts < 2 else move(ctx, server))
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
            '%s: %s' % (mode, disk or context.NO_DISK)
            for mode, disk in disks.items())))


def _moves(ctx):
    """Return a dict of each move and a function that does it to a server."""
    small, large = ctx.flavors()[:2]
    moves = {
        'a stop and start': (('SHUTOFF', 'os-stop'), ('ACTIVE', 'os-start')),
        # A server on a volume leaves its host at once.
        'shelving and unshelving': (
            ('SHELVED_OFFLOADED', 'shelve'), ('ACTIVE', 'unshelve')),
        'a resize': (('VERIFY_RESIZE', 'resize', {'flavorRef': large}),
                     ('ACTIVE', 'confirmResize')),
        'a reverted resize': (
            ('VERIFY_RESIZE', 'resize', {'flavorRef': small}),
            ('ACTIVE', 'revertResize')),
        'a rebuild': (('ACTIVE', 'rebuild', {'imageRef': ctx.image()}),),
        'a cold migration': (
            ('VERIFY_RESIZE', 'migrate'), ('ACTIVE', 'confirmResize')),
    }
    return {**{name: functools.partial(_do, actions)
               for name, actions in moves.items()},
            'a live migration': _live_migrate,
            'an evacuation': _evacuate}


def _do(actions, ctx, server):
    for action in actions:
        ctx.act(server, *action)


def _live_migrate(ctx, server):
    before = hosts.of(ctx, server)
    # The answer says that it has begun, not that the server is busy.
    ctx.send(calls.action(server, 'os-migrateLive', {
        'host': None, 'block_migration': 'auto'}), '2.30')
    ctx.wait('end of the live migration',
             lambda: hosts.of(ctx, server) != before)
    ctx.wait_for_server(server, 'ACTIVE')


def _evacuate(ctx, server):
    with hosts.lost(ctx, hosts.of(ctx, server)) as lost:
        if not lost:
            return 'this cloud cannot lose a host'
        ctx.act(server, 'ACTIVE', 'evacuate', {}, hosts.FORCED_DOWN)
