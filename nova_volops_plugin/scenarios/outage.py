# SPDX-License-Identifier: Apache-2.0

"""A reboot while Cinder does not respond."""

from nova_volops_plugin.sdk import calls

NAME = 'outage'
FEATURE = 'dangling_cleanup'
_SERVICE = 'cinder-api'


def run(ctx):
    volume = ctx.create_volume('demo-kept')
    server = ctx.boot('demo-outage')
    ctx.attach(server, volume)
    before = ctx.send(calls.attachments(server), '2.89').body
    ctx.tell('Cinder is stopped')
    if not ctx.cloud.faults.stop(_SERVICE):
        ctx.skip('a reboot without Cinder succeeds and deletes nothing',
                 'the Cinder of this cloud cannot be stopped')
        return
    try:
        ctx.send(calls.action(server, 'reboot', {'type': 'HARD'}))
        ctx.claim_server('a reboot without Cinder succeeds', server)
        ctx.claim_disk('the guest has its volume without Cinder',
                       server, volume)
    finally:
        ctx.cloud.up()
    after = ctx.send(calls.attachments(server), '2.89').body
    found = ctx.volume(volume)
    ctx.claim('nothing is deleted without Cinder',
              before == after and found['status'] == 'in-use' and
              [row['attachment_id'] for row in found['attachments']] ==
              [row['attachment_id'] for row in after['volumeAttachments']],
              'the volume is %s, the attachments are %s' % (
                  found['status'], 'the same' if before == after else after))
