# SPDX-License-Identifier: Apache-2.0

"""A volume that one server writes to and another only reads."""

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
    ctx.claim_disk('one guest writes to the volume', servers['rw'], volume)
    disk = ctx.claim_disk('the other guest cannot write to it',
                          servers['ro'], volume, readonly=True)
    if not ctx.cloud.guests_run:
        ctx.skip('it reads what the first one writes',
                 'the guests of this cloud do not run')
        return
    writer = ctx.report(servers['rw']).boot
    disk = disk and ctx.disk(servers['ro'], volume)
    ctx.claim('it reads what the first one writes',
              bool(disk and (disk.seen.last or '').startswith(writer + ':')),
              'the writer is %s; the reader finds %s' % (
                  writer, disk and disk.seen.last))
