# SPDX-License-Identifier: Apache-2.0

"""One volume, which one server writes to and another only reads."""

NAME = 'sharing'
FEATURE = 'attach_mode'


def run(ctx):
    version = ctx.version('attach_mode')
    ctx.tell('One multiattach volume, rw on one server and ro on another')
    volume = ctx.create_volume('demo-shared', multiattach=True)
    servers = {mode: ctx.boot('demo-' + mode) for mode in ('rw', 'ro')}
    for mode, server in servers.items():
        answer = ctx.attach(server, volume, version, attach_mode=mode)
        ctx.claim('the volume is attached %s' % mode, answer.ok, answer)
    disks = {mode: ctx.disk(server, volume)
             for mode, server in servers.items()}
    ctx.claim('one guest writes to the volume',
              bool(disks['rw'] and disks['rw'].writable),
              disks['rw'] or 'the guest has no such disk')
    ctx.claim('the other guest cannot write to it',
              bool(disks['ro'] and disks['ro'].readonly),
              disks['ro'] or 'the guest has no such disk')
    if not ctx.cloud.guests_run:
        ctx.skip('it reads what the first one writes',
                 'the guests of this cloud do not run')
        return
    writer = ctx.report(servers['rw']).boot
    disk = disks['ro'] and ctx.disk(servers['ro'], volume)
    ctx.claim('it reads what the first one writes',
              bool(disk and (disk.seen.last or '').startswith(writer + ':')),
              'the writer is %s; the reader finds %s' % (
                  writer, disk and disk.seen.last))
