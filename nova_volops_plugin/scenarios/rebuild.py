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
"""A server on a volume is rebuilt: the volume gets another image."""

NAME = 'rebuild'


def run(ctx):
    version = ctx.version('rebuild')
    old, new = ctx.images()[:2]
    ctx.tell('A server that boots from a volume')
    root = ctx.create_volume('demo-root', imageRef=old)
    server = ctx.boot('demo-rebuilt', image=False, block_device_mapping_v2=[{
        'boot_index': 0, 'source_type': 'volume', 'uuid': root,
        'destination_type': 'volume', 'delete_on_termination': False}])

    ctx.tell('Cinder refuses to write the image')
    if ctx.fault('reimage_volume', 403):
        answer = _rebuild(ctx, server, new, version)
        ctx.claim('the rebuild is asked for', answer.ok, answer)
        shown = ctx.wait_for_server(server, 'ACTIVE', 'SHUTOFF', 'ERROR')
        ctx.claim('the server is as it was', shown['status'] == 'ACTIVE',
                  'the server is ' + shown['status'])
        volume = ctx.volume(root)
        ctx.claim('so is its volume', volume['status'] == 'in-use' and
                  _image_of(volume) == old, 'the volume is %s, its image %s' %
                  (volume['status'], _image_of(volume)))
        ctx.claim('and the guest still has it',
                  ctx.disk(server, root) is not None,
                  ctx.disk(server, root) or 'the guest has no such disk')
        ctx.heal()
    else:
        ctx.skip('a refused re-image leaves the server as it was',
                 'Cinder cannot be made to refuse here')

    ctx.tell('Cinder writes the image')
    answer = _rebuild(ctx, server, new, version)
    ctx.claim('a rebuild with another image is accepted', answer.ok, answer)
    shown = ctx.wait_for_server(server, 'ACTIVE', 'SHUTOFF', 'ERROR')
    ctx.claim('the server is ACTIVE', shown['status'] == 'ACTIVE',
              'the server is ' + shown['status'])
    volume = ctx.volume(root)
    ctx.claim('the same volume holds the new image',
              volume['status'] == 'in-use' and _image_of(volume) == new,
              'the volume is %s, its image %s' % (
                  volume['status'], _image_of(volume)))


def _rebuild(ctx, server, image, version):
    return ctx.call('POST', '/servers/%s/action' % server,
                    {'rebuild': {'imageRef': image}}, version)


def _image_of(volume):
    return volume.get('volume_image_metadata', {}).get('image_id')
