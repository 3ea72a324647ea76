# SPDX-License-Identifier: Apache-2.0

"""The stories of a mixed cloud, as generators of steps.

A step is a name, what is wanted of it and what came of it.
"""

from inside_nova.embedded_nova import images
from inside_nova.mixed_nova.cloud import LOCAL
from inside_nova.mixed_nova.cloud import REMOTE
from nova.virt import driver

HOST = 'OS-EXT-SRV-ATTR:host'
OLD = REMOTE
NEW = LOCAL
TRAIT = 'CUSTOM_COMPUTE_VOLUME_ATTACH_MODE'
_REIMAGE = 'supports_volume_reimage'


def device(volume, **fields):
    return dict({'source_type': 'volume', 'destination_type': 'volume',
                 'uuid': volume, 'boot_index': -1}, **fields)


def state(cloud, server):
    shown = cloud.server(server['id'])
    return '%s on %s' % (shown['status'], shown[HOST])


def seen(cloud, server):
    return state(cloud, server), cloud.disks(server)


def accepted(answer):
    code = answer[0]
    return 'accepted' if code < 300 else code


def boot_root(cloud, host):
    root = cloud.volume(size=2, bootable=True,
                        volume_image_metadata={'image_id': images.IMAGE})
    return root, cloud.boot(host=host, imageRef='',
                            block_device_mapping_v2=[
                                device(root, boot_index=0)])[1]


def what_the_release_could(cloud):
    """What the release could do, the other compute still can."""
    volume, other = cloud.volume(), cloud.volume()
    _code, server = cloud.boot(device(volume))
    yield ('boot with a volume', 'ACTIVE on ' + REMOTE,
           state(cloud, server))
    yield 'attach', 'accepted', accepted(cloud.attach(server, other))
    yield ('its disks', {volume: False, other: False} ==
           cloud.disks(server), True)
    for name, body in (('reboot', {'type': 'HARD'}),
                       ('os-stop', None), ('os-start', None),
                       ('shelve', None), ('unshelve', None)):
        yield name, 'accepted', accepted(cloud.act(server, name, body))
    yield ('its disks after that', ('ACTIVE on ' + REMOTE, 2),
           (state(cloud, server), len(cloud.disks(server))))
    yield 'detach', 'accepted', accepted(cloud.detach(server, other))
    root, server = boot_root(cloud, REMOTE)
    yield ('boot from a volume', 'ACTIVE on ' + REMOTE,
           state(cloud, server))
    yield ('attach to a tag', 'accepted', accepted(cloud.attach(
        server, other, tag='data')))
    yield ('rebuild as it is', 'accepted', accepted(cloud.act(
        server, 'rebuild', {'imageRef': images.IMAGE}, '2.90')))
    yield ('after the rebuild', ('ACTIVE on ' + REMOTE, 2),
           (state(cloud, server), len(cloud.disks(server))))


def read_only_on_an_old_compute(cloud):
    """A compute that cannot honour it gets no read-only volume."""
    volume = cloud.volume()
    _code, server = cloud.boot()
    yield 'the mode rw', 'accepted', accepted(cloud.attach(
        server, volume, attach_mode='rw'))
    yield 'its disk', {volume: False}, cloud.disks(server)
    yield 'detach', 'accepted', accepted(cloud.detach(server, volume))
    yield 'the mode ro', 409, accepted(cloud.attach(
        server, volume, attach_mode='ro'))
    yield 'the volume', 'available', cloud.rules('status', volume)
    yield 'shelve', 'accepted', accepted(cloud.act(server, 'shelve'))
    yield 'the mode ro while SHELVED', 409, accepted(cloud.attach(
        server, volume, attach_mode='ro'))
    yield 'offload', 'accepted', accepted(cloud.act(server, 'shelveOffload'))
    yield 'the mode ro while offloaded', 'accepted', accepted(cloud.attach(
        server, volume, attach_mode='ro'))
    cloud.disable(NEW)
    cloud.act(server, 'unshelve')
    yield ('unshelve with only old computes', 'SHELVED_OFFLOADED on None',
           state(cloud, server))
    cloud.disable(NEW, False)
    yield 'unshelve', 'accepted', accepted(cloud.act(server, 'unshelve'))
    yield ('after the unshelve', ('ACTIVE on ' + NEW, {volume: True}),
           seen(cloud, server))


def create_read_only(cloud):
    """A server that is created with one goes to a compute that can."""
    volume, other = cloud.volume(), cloud.volume()
    _code, server = cloud.boot(
        device(volume, attach_mode='ro'), host=None)
    yield 'create', ('ACTIVE on ' + NEW, {volume: True}), seen(cloud, server)
    _code, refused = cloud.boot(device(other, attach_mode='ro'), host=OLD)
    yield ('create on an old compute', ('ERROR on None', {}),
           seen(cloud, refused))
    _code, refused = cloud.boot(
        device(cloud.volume(), attach_mode='ro'), host=None,
        availability_zone='nova:' + OLD)
    yield ('create on a forced old compute', ('ERROR on None', {}),
           seen(cloud, refused))
    yield 'reboot', 'accepted', accepted(cloud.act(
        server, 'reboot', {'type': 'HARD'}))
    yield 'its disk after the reboot', {volume: True}, cloud.disks(server)


def move_read_only(cloud):
    """It does not move to one that cannot, not even by force."""
    volume = cloud.volume()
    _code, server = cloud.boot(
        device(volume, attach_mode='ro'), host=NEW)
    yield from _stays(cloud, server, volume)


def _stays(cloud, server, volume):
    here = ('ACTIVE on ' + NEW, {volume: True})
    anywhere = {'host': None, 'block_migration': 'auto'}
    there = dict(anywhere, host=OLD)
    for name, *request in (
            ('os-migrateLive', anywhere), ('os-migrateLive', there),
            ('os-migrateLive', dict(there, force=True), '2.67'),
            ('migrate', None), ('migrate', {'host': OLD}),
            ('resize', {'flavorRef': '2'})):
        cloud.act(server, name, *request)
        yield '%s %s' % (name, request[0]), here, seen(cloud, server)
        if cloud.server(server['id'])['status'] == 'ERROR':
            cloud.act(server, 'os-resetState', {'state': 'active'})
    cloud.force_down(NEW)
    for request in (({},), ({'host': OLD},),
                    ({'host': OLD, 'force': True}, '2.67')):
        cloud.act(server, 'evacuate', *request)
        yield ('evacuate %s' % request[0], NEW,
               cloud.server(server['id'])[HOST])
        cloud.act(server, 'os-resetState', {'state': 'active'})
    cloud.force_down(NEW, False)


def share_on_an_old_compute(cloud):
    """Several servers of one request share a volume on an old compute."""
    volume = cloud.volume(multiattach=True)
    code, body = cloud.boot(device(volume), host=OLD, min_count=2,
                            max_count=2)
    yield 'create two', 202, code
    servers = cloud.ask('GET', '/servers/detail')[1]['servers']
    yield ('the two', [('ACTIVE on ' + OLD, {volume: False})] * 2,
           [seen(cloud, server) for server in servers])
    yield 'attachments of the volume', 2, len(
        cloud.rules('attachments', volume))
    read_only = cloud.volume(multiattach=True)
    cloud.boot(device(read_only, attach_mode='ro'), host=None, min_count=2,
               max_count=2)
    servers = [
        server for server in cloud.ask('GET', '/servers/detail')[1]['servers']
        if read_only in cloud.disks(server)]
    yield ('two that share one read-only',
           [('ACTIVE on ' + NEW, {read_only: True})] * 2,
           [seen(cloud, server) for server in servers])


def shelved_on_an_old_compute(cloud):
    """A swap on the host needs a new compute, one without a host none."""
    old, new = cloud.volume(), cloud.volume(size=2)
    tagged, shared = cloud.volume(), cloud.volume(multiattach=True)
    _code, server = cloud.boot(device(old))
    yield 'shelve', 'accepted', accepted(cloud.act(server, 'shelve'))
    yield 'swap while SHELVED', 409, accepted(
        cloud.swap(server, old, new, copy_data=True))
    yield ('the volumes', ['in-use', 'available'],
           [cloud.rules('status', volume) for volume in (old, new)])
    yield 'offload', 'accepted', accepted(cloud.act(server, 'shelveOffload'))
    yield 'swap while offloaded', 'accepted', accepted(
        cloud.swap(server, old, new, copy_data=False))
    yield 'attach to a tag', 'accepted', accepted(
        cloud.attach(server, tagged, tag='data'))
    yield 'attach a multiattach volume', 'accepted', accepted(
        cloud.attach(server, shared))
    cloud.disable(NEW)
    yield 'unshelve on an old compute', 'accepted', accepted(
        cloud.act(server, 'unshelve'))
    cloud.disable(NEW, False)
    yield ('after the unshelve',
           ('ACTIVE on ' + OLD, {new: False, tagged: False, shared: False}),
           seen(cloud, server))


def reimage_on_an_old_compute(cloud):
    """A root volume gets a new image by a compute that can do it."""
    root, server = boot_root(cloud, OLD)
    # A release that has no such capability re-images by itself.
    refused = _REIMAGE in driver.CAPABILITY_TRAITS_MAP
    yield 'rebuild', 409 if refused else 'accepted', accepted(cloud.act(
        server, 'rebuild', {'imageRef': images.OTHER_IMAGE}))
    yield ('the server', ('ACTIVE on ' + OLD, {root: False}),
           seen(cloud, server))
    yield ('the image', images.IMAGE if refused else images.OTHER_IMAGE,
           cloud.rules('volume', root)['volume_image_metadata']['image_id'])
    root, server = boot_root(cloud, NEW)
    yield 'rebuild on a new compute', 'accepted', accepted(cloud.act(
        server, 'rebuild', {'imageRef': images.OTHER_IMAGE}))
    yield ('the server on a new compute',
           ('ACTIVE on ' + NEW, {root: False}), seen(cloud, server))


def take_back_a_compute(cloud):
    """A compute gets the series and is taken back; its trait stays."""
    volume, other, third = cloud.volume(), cloud.volume(), cloud.volume()
    yield 'the series put on', 'started', cloud.exchange('upgraded')
    _code, server = cloud.boot(host=OLD)
    yield 'the mode ro', 'accepted', accepted(cloud.attach(
        server, volume, attach_mode='ro'))
    yield 'its disk', {volume: True}, cloud.disks(server)
    yield 'detach', 'accepted', accepted(cloud.detach(server, volume))
    _code, shelved = cloud.boot(device(other, attach_mode='ro'), host=OLD)
    for name in ('shelve', 'shelveOffload'):
        cloud.act(shelved, name)
    yield 'the series taken off', 'started', cloud.exchange('compute')
    yield 'its trait is left', True, TRAIT in cloud.traits(OLD)
    yield 'the mode rw', 'accepted', accepted(cloud.attach(server, volume))
    yield 'the mode ro without it', 409, accepted(cloud.attach(
        server, cloud.volume(), attach_mode='ro'))
    _code, elsewhere = cloud.boot(
        device(third, attach_mode='ro'), host=None)
    yield ('create', ('ACTIVE on ' + NEW, {third: True}),
           seen(cloud, elsewhere))
    for fields in ({'host': OLD},
                   {'host': None, 'availability_zone': 'nova:' + OLD}):
        _code, refused = cloud.boot(
            device(cloud.volume(), attach_mode='ro'), **fields)
        yield ('create with %s' % fields, ('ERROR on None', {}),
               seen(cloud, refused))
    cloud.disable(NEW)
    cloud.act(shelved, 'unshelve')
    yield ('unshelve with no other compute', 'SHELVED_OFFLOADED on None',
           state(cloud, shelved))
    cloud.disable(NEW, False)
    yield from _stays(cloud, elsewhere, third)
    yield 'unshelve', 'accepted', accepted(cloud.act(shelved, 'unshelve'))
    yield ('after the unshelve', ('ACTIVE on ' + NEW, {other: True}),
           seen(cloud, shelved))


def take_back_among_read_only(cloud):
    """It is taken back, against the advice, while a guest has a volume so.

    What would attach the volume anew fails until the series is put on again.
    """
    volume = cloud.volume()
    cloud.exchange('upgraded')
    _code, server = cloud.boot(device(volume, attach_mode='ro'), host=OLD)
    with_it = ('ACTIVE on ' + OLD, {volume: True})
    yield 'create', with_it, seen(cloud, server)
    yield 'the series taken off', 'started', cloud.exchange('compute')
    yield 'the server runs on', with_it, seen(cloud, server)
    for name, body in (('reboot', {'type': 'HARD'}), ('os-stop', None),
                       ('os-start', None), ('shelve', None),
                       ('migrate', None)):
        cloud.act(server, name, body)
        yield (name, [], [
            disk for disk in cloud.disks(server).items() if not disk[1]])
        cloud.act(server, 'os-resetState', {'state': 'active'})
    yield 'the series put on again', 'started', cloud.exchange('upgraded')
    yield 'hard reboot', 'accepted', accepted(cloud.act(
        server, 'reboot', {'type': 'HARD'}))
    yield 'after the reboot', with_it, seen(cloud, server)
    cloud.ask('DELETE', '/servers/' + server['id'])
    yield 'taken back without it', 'started', cloud.exchange('compute')


def computes_before_controllers(cloud):
    """That order is wrong: attaching fails, and nothing else does."""
    volume, other = cloud.volume(), cloud.volume()
    _code, server = cloud.boot(device(volume))
    yield ('boot with a volume', 'ACTIVE on ' + REMOTE,
           state(cloud, server))
    for name, body in (('reboot', {'type': 'HARD'}), ('os-stop', None),
                       ('os-start', None)):
        yield name, 'accepted', accepted(cloud.act(server, name, body))
    yield 'its disks', {volume: False}, cloud.disks(server)
    cloud.attach(server, other)
    yield ('attach', ('available', {volume: False}),
           (cloud.rules('status', other), cloud.disks(server)))


CONTROLLERS_FIRST = (
    what_the_release_could, read_only_on_an_old_compute, create_read_only,
    move_read_only, share_on_an_old_compute, shelved_on_an_old_compute,
    reimage_on_an_old_compute, take_back_a_compute,
    take_back_among_read_only)
COMPUTES_FIRST = (computes_before_controllers,)
