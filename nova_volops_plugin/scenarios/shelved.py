# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
"""The volumes of a server that is shelved and on no host."""

from nova_volops_plugin.scenarios import microversions

NAME = 'shelved'


def run(ctx):
    version = ctx.version('shelved')
    # The last version without any of the series.
    before = microversions.before(ctx.version('attach_mode'))
    ctx.tell('A server is shelved and leaves its host')
    old = ctx.create_volume('demo-old')
    new = ctx.create_volume('demo-new')
    shared = ctx.create_volume('demo-shared', multiattach=True)
    tagged = ctx.create_volume('demo-tagged')
    server = ctx.boot('demo-shelved')
    attachments = '/servers/%s/os-volume_attachments' % server
    ctx.attach(server, old)
    _shelve(ctx, server)

    ctx.tell('The volume is swapped for another while there is no guest')
    answer = _swap(ctx, attachments, before, old, new)
    ctx.claim('%s refuses the swap' % before, answer.code == 409, answer)
    answer = _swap(ctx, attachments, version, old, new)
    ctx.claim('the swap is accepted', answer.ok, answer)
    if answer.ok:
        # Without a guest Cinder has it reserved, or in use already.
        ctx.wait_for_volume(new, 'in-use', 'reserved')
        ctx.wait_for_volume(old, 'available')
    _claim_volumes(ctx, attachments, version, {new},
                   'the server has the new volume in place of the old one')
    status = ctx.volume(old)
    ctx.claim('the old volume is still there, and free',
              status is not None and status['status'] == 'available',
              'it is gone' if status is None else
              'the volume is ' + status['status'])

    ctx.tell('What else an offloaded server takes')
    answer = ctx.attach(server, shared, version)
    ctx.claim('a multiattach volume is attached', answer.ok, answer)
    answer = ctx.attach(server, tagged, version, tag='data')
    ctx.claim('a volume is attached with a tag', answer.ok, answer)

    ctx.tell('Back on a host')
    ctx.call('POST', '/servers/%s/action' % server, {'unshelve': None})
    ctx.wait_for_server(server, 'ACTIVE')
    found = {name: ctx.disk(server, volume) for name, volume in (
        ('demo-old', old), ('demo-new', new), ('demo-shared', shared),
        ('demo-tagged', tagged))}
    ctx.claim(
        'the guest has the three volumes, in the order of their attaching',
        found['demo-old'] is None and
        [found[name].device if found[name] else None for name in (
            'demo-new', 'demo-shared', 'demo-tagged')] ==
        ['vdb', 'vdc', 'vdd'],
        {name: disk.device for name, disk in found.items() if disk})
    shown = ctx.call('GET', attachments, version=version)
    names = {row['volumeId']: row['device']
             for row in shown.body.get('volumeAttachments', ())}
    ctx.claim(
        'the API names the devices as the guest has them',
        bool(names) and names == {
            disk.serial: '/dev/' + disk.device
            for disk in found.values() if disk}, names or shown)


def _shelve(ctx, server):
    for action, status in (('shelve', 'SHELVED'),
                           ('shelveOffload', 'SHELVED_OFFLOADED')):
        ctx.call('POST', '/servers/%s/action' % server, {action: None})
        ctx.wait_for_server(server, status)


def _swap(ctx, attachments, version, old, new):
    return ctx.call('PUT', '%s/%s' % (attachments, old),
                    {'volumeAttachment': {'volumeId': new}}, version)


def _claim_volumes(ctx, attachments, version, expected, text):
    shown = ctx.call('GET', attachments, version=version)
    found = [row['volumeId'] for row in shown.body.get(
        'volumeAttachments', ())]
    ctx.claim(text, shown.ok and set(found) == expected, found or shown)
