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
"""A read-only volume stays read-only wherever its server goes."""

NAME = 'moves'


def run(ctx):
    if ctx.cloud.hosts < 2:
        ctx.skip('a volume stays ro on other hosts',
                 'this cloud has one host; start it with --hosts 2')
        return
    version = ctx.version('attach_mode')
    ctx.tell('A server on a volume, with another one it may only read')
    root = ctx.create_volume('demo-root', imageRef=ctx.image())
    readable = ctx.create_volume('demo-ro')
    server = ctx.boot('demo-moving', image=False, block_device_mapping_v2=[{
        'boot_index': 0, 'source_type': 'volume', 'uuid': root,
        'destination_type': 'volume', 'delete_on_termination': False}])
    answer = ctx.attach(server, readable, version, attach_mode='ro')
    ctx.claim('a volume is attached with attach_mode ro', answer.ok, answer)

    host = _host(ctx, server)
    ctx.call('POST', '/servers/%s/action' % server, {'migrate': None})
    ctx.wait_for_server(server, 'VERIFY_RESIZE')
    ctx.call('POST', '/servers/%s/action' % server, {'confirmResize': None})
    ctx.wait_for_server(server, 'ACTIVE')
    host = _claim(ctx, server, readable, host, 'a cold')

    # Its answer says that it has begun, not that the server is busy.
    ctx.call('POST', '/servers/%s/action' % server, {'os-migrateLive': {
        'host': None, 'block_migration': 'auto'}}, '2.30')
    ctx.wait('end of the live migration',
             lambda: _host(ctx, server) != host)
    ctx.wait_for_server(server, 'ACTIVE')
    _claim(ctx, server, readable, host, 'a live')


def _claim(ctx, server, volume, host, kind):
    now = _host(ctx, server)
    disk = ctx.disk(server, volume)
    ctx.claim('%s migration keeps the volume ro' % kind,
              bool(now != host and disk and disk.readonly),
              'from %s to %s, %s' % (
                  host, now, disk or 'the guest has no such disk'))
    return now


def _host(ctx, server):
    return ctx.server(server)['OS-EXT-SRV-ATTR:host']
