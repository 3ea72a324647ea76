# SPDX-License-Identifier: Apache-2.0

"""The stories of two patched releases."""

from inside_nova.embedded_nova import images
from inside_nova.mixed_nova.stories import accepted
from inside_nova.mixed_nova.stories import boot_root
from inside_nova.mixed_nova.stories import device
from inside_nova.mixed_nova.stories import NEW
from inside_nova.mixed_nova.stories import OLD
from inside_nova.mixed_nova.stories import seen
from inside_nova.mixed_nova.stories import state
from inside_nova.mixed_nova.stories import what_the_release_could


def read_only_on_the_older_release(cloud):
    """With the series the older release does all that the newer does."""
    volume, other = cloud.volume(), cloud.volume()
    here = ('ACTIVE on ' + OLD, {volume: True, other: True})
    _code, server = cloud.boot(device(volume, attach_mode='ro'), host=OLD)
    yield 'create', ('ACTIVE on ' + OLD, {volume: True}), seen(cloud, server)
    yield 'attach', 'accepted', accepted(cloud.attach(
        server, other, attach_mode='ro'))
    for names in (('reboot',), ('os-stop', 'os-start'),
                  ('shelve', 'unshelve')):
        for name in names:
            cloud.act(server, name,
                      {'type': 'HARD'} if name == 'reboot' else None)
        yield ' and '.join(names), here, seen(cloud, server)
    shared = cloud.volume(multiattach=True)
    cloud.boot(device(shared, attach_mode='ro'), host=OLD, min_count=2,
               max_count=2)
    yield ('two that share one read-only',
           [('ACTIVE on ' + OLD, {shared: True})] * 2,
           [seen(cloud, each) for each in
            cloud.ask('GET', '/servers/detail')[1]['servers']
            if each['id'] != server['id']])


def move_between_releases(cloud):
    """A server goes from the older to the newer release and back."""
    volume = cloud.volume()
    _code, server = cloud.boot(device(volume, attach_mode='ro'), host=OLD)
    for host in (NEW, OLD):
        cloud.act(server, 'migrate', {'host': host})
        cloud.act(server, 'confirmResize')
        yield ('migrate to ' + host, ('ACTIVE on ' + host, {volume: True}),
               seen(cloud, server))
    cloud.act(server, 'migrate', {'host': NEW})
    cloud.act(server, 'revertResize')
    yield ('migrate and revert', ('ACTIVE on ' + OLD, {volume: True}),
           seen(cloud, server))
    for old, new in ((NEW, OLD), (OLD, NEW)):
        for name in ('shelve', 'shelveOffload'):
            cloud.act(server, name)
        cloud.disable(old)
        cloud.act(server, 'unshelve')
        cloud.disable(old, False)
        yield ('unshelve on ' + new, ('ACTIVE on ' + new, {volume: True}),
               seen(cloud, server))


def shelved_and_rebuilt_on_the_older_release(cloud):
    """Its volumes are swapped, and its root volume gets a new image."""
    old, new = cloud.volume(), cloud.volume(size=2)
    _code, server = cloud.boot(device(old, attach_mode='ro'), host=OLD)
    for name in ('shelve', 'shelveOffload'):
        cloud.act(server, name)
    yield 'swap while offloaded', 'accepted', accepted(
        cloud.swap(server, old, new, copy_data=False))
    cloud.disable(NEW)
    cloud.act(server, 'unshelve')
    cloud.disable(NEW, False)
    yield ('after the unshelve', ('ACTIVE on ' + OLD, {new: True}),
           seen(cloud, server))
    root, server = boot_root(cloud, OLD)
    yield 'rebuild', 'accepted', accepted(cloud.act(
        server, 'rebuild', {'imageRef': images.OTHER_IMAGE}))
    yield ('the server', ('ACTIVE on ' + OLD, {root: False}),
           seen(cloud, server))
    yield 'the image', images.OTHER_IMAGE, cloud.rules(
        'volume', root)['volume_image_metadata']['image_id']


def upgrade_the_compute(cloud):
    """The older compute is upgraded among guests that run."""
    volume, other = cloud.volume(), cloud.volume()
    _code, server = cloud.boot(
        device(volume, attach_mode='ro'), device(other), host=OLD)
    _code, shelved = cloud.boot(
        device(cloud.volume(), attach_mode='ro'), host=OLD)
    cloud.act(shelved, 'shelve')
    here = ('ACTIVE on ' + OLD, {volume: True, other: False})
    yield 'create', here, seen(cloud, server)
    yield 'the newer release', 'started', cloud.exchange('upgraded')
    yield 'the server runs on', here, seen(cloud, server)
    for name, body in (('reboot', {'type': 'HARD'}),
                       ('migrate', {'host': NEW}), ('confirmResize', None)):
        yield name, 'accepted', accepted(cloud.act(server, name, body))
    yield ('after that', ('ACTIVE on ' + NEW, here[1]), seen(cloud, server))
    yield 'unshelve', 'accepted', accepted(cloud.act(shelved, 'unshelve'))
    yield ('the other server', ('ACTIVE on ' + OLD, [True]),
           (state(cloud, shelved), list(cloud.disks(shelved).values())))


SERIES_ON_BOTH = (
    what_the_release_could, read_only_on_the_older_release,
    move_between_releases, shelved_and_rebuilt_on_the_older_release,
    upgrade_the_compute)
