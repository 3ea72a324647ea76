# SPDX-License-Identifier: Apache-2.0

"""A cloud that is upgraded through several releases.

Each story is that of one release of the controllers. It begins with what the
one before remembers of the servers, and ends with all as it was.
"""

from inside_nova.embedded_nova import images
from inside_nova.mixed_nova.cloud import LOCAL
from inside_nova.mixed_nova.cloud import REMOTE
from inside_nova.mixed_nova import handover
from inside_nova.mixed_nova import runner
from inside_nova.mixed_nova import steps
from inside_nova.mixed_nova import stories
from nova.db.main import models


class Server:
    """A server as it should be.

    :ivar disks: a dict of volume and whether it is read-only
    :ivar host: where it is, None while it is shelved
    """

    def __init__(self, id, disks, host=REMOTE):
        self.id = id
        self.disks = disks
        self.host = host

    def __getitem__(self, name):
        """Let it be used as what the API shows of a server."""
        return getattr(self, name)


class Cloud(steps.Cloud):
    """The cloud, and what the story remembers.

    :ivar servers: a dict of name and :class:`Server`
    """

    def __init__(self, nova, servers):
        super().__init__(nova)
        self.servers = {name: Server(**fields)
                        for name, fields in servers.items()}

    def add(self, name, code, server, disks):
        """Remember a server that was asked for."""
        self.servers[name] = Server(server['id'], disks) if code < 300 else \
            Server('none', disks)

    def down(self):
        """Return the names of the computes that count as down, a set."""
        return {service['host'] for service in self.ask(
            'GET', '/os-services?binary=nova-compute')[1]['services']
            if service['state'] != 'up'}

    def modes(self, server):
        """Return the modes of a server's volumes as the API shows them.

        The release shows none, and attaches everything writable.
        """
        shown = self.ask(
            'GET', '/servers/%s/os-volume_attachments' % server.id)[1]
        return {each['volumeId']: each.get('attach_mode', 'rw')
                for each in shown['volumeAttachments']}

    def cinder_modes(self, server):
        """Return the modes in which a server's volumes are connected."""
        return {row['volume_id']: row['attach_mode']
                for row in self.rules('attachments', None, server.id)
                if row['connector']}

    def columns(self, server):
        """Return the columns that have a value in a server's devices."""
        return {device.volume_id: sorted(
            column.name for column in models.BlockDeviceMapping.__table__.c
            if getattr(device, column.name) is not None)
            for device in self.devices()
            if device.instance_uuid == server.id}


def _all(cloud, when):
    """Yield a step about each server that is not as it is remembered."""
    right = []
    for name, server in cloud.servers.items():
        modes = {volume: 'ro' if read_only else 'rw'
                 for volume, read_only in server.disks.items()}
        wanted = 'ACTIVE on %s' % server.host, server.disks, modes, modes
        if not server.host:
            wanted = 'SHELVED_OFFLOADED on None', {}, modes, {}
        found = (*stories.seen(cloud, server), cloud.modes(server),
                 cloud.cinder_modes(server))
        if wanted == found:
            right.append(name)
        else:
            yield '%s: %s' % (when, name), wanted, found
    yield when, len(cloud.servers), len(right)


def _shelve(cloud, name):
    for action in 'shelve', 'shelveOffload':
        cloud.act(cloud.servers[name], action)
    cloud.servers[name].host = None


def _unshelve(cloud, name, host):
    other, = {LOCAL, REMOTE} - {host}
    cloud.disable(other)
    cloud.act(cloud.servers[name], 'unshelve')
    cloud.disable(other, False)
    cloud.servers[name].host = host


def _attach(cloud, name, volume, read_only=False):
    """Attach a volume; return whether that is accepted."""
    fields = {'attach_mode': 'ro'} if read_only else {}
    answer = cloud.attach(cloud.servers[name], volume, **fields)
    cloud.servers[name].disks[volume] = read_only
    return stories.accepted(answer)


def begin(cloud):
    """The release, with nothing of the series."""
    volume, shared = cloud.volume(), cloud.volume(multiattach=True)
    for name, own in (('with a volume', volume), ('shares', shared),
                      ('shares, too', shared)):
        cloud.add(name, *cloud.boot(stories.device(own)), {own: False})
    root, server = stories.boot_root(cloud, REMOTE)
    cloud.add('shelved', 202, server, {root: False})
    _shelve(cloud, 'shelved')
    yield from _all(cloud, 'created')


def put_the_series_on(cloud):
    """The same release with the series, the computes after the controllers."""
    yield from _all(cloud, 'the controllers have it')
    yield 'ro before the compute has it', 409, stories.accepted(cloud.attach(
        cloud.servers['with a volume'], cloud.volume(), attach_mode='ro'))
    yield 'the compute gets it', 'started', cloud.exchange('upgraded')
    yield from _all(cloud, 'the compute has it')
    volume = cloud.volume()
    cloud.add('reads', *cloud.boot(stories.device(volume, attach_mode='ro')),
              {volume: True})
    shared = cloud.volume(multiattach=True)
    yield 'two that share one read-only', 202, cloud.boot(
        stories.device(shared, attach_mode='ro'), min_count=2, max_count=2)[0]
    for server in cloud.ask('GET', '/servers/detail')[1]['servers']:
        if shared in cloud.modes(Server(server['id'], {})):
            cloud.add('reads the shared one as ' + server['name'], 202,
                      server, {shared: True})
    for name in 'with a volume', 'shelved':
        yield ('attach ro: ' + name, 'accepted',
               _attach(cloud, name, cloud.volume(), True))
    yield from _all(cloud, 'with read-only volumes')


def upgrade(cloud):
    """The next release, its compute after the controllers."""
    yield from _all(cloud, 'the controllers have it')
    reads = cloud.servers['reads']
    yield 'hard reboot', 'accepted', stories.accepted(cloud.act(
        reads, 'reboot', {'type': 'HARD'}))
    for host in (LOCAL, REMOTE):
        cloud.act(reads, 'migrate', {'host': host})
        cloud.act(reads, 'confirmResize')
        reads.host = host
        yield from _all(cloud, 'one is on ' + host)
    _unshelve(cloud, 'shelved', REMOTE)
    yield 'attach ro there', 'accepted', _attach(
        cloud, 'shelved', cloud.volume(), True)
    yield from _all(cloud, 'unshelved on the older compute')
    _shelve(cloud, 'shelved')
    shelved = cloud.servers['shelved']
    old = next(volume for volume, read_only in shelved.disks.items()
               if read_only)
    new = cloud.volume(size=2)
    shelved.disks[new] = shelved.disks.pop(old)
    yield 'swap while offloaded', 'accepted', stories.accepted(
        cloud.swap(shelved, old, new, copy_data=False))
    gone = next(volume for volume, read_only in shelved.disks.items()
                if read_only and volume != new)
    yield 'detach while offloaded', 'accepted', stories.accepted(
        cloud.detach(shelved, gone))
    del shelved.disks[gone]
    yield 'the compute gets it', 'started', cloud.exchange('upgraded')
    yield from _all(cloud, 'the compute has it')
    for server in cloud.servers.values():
        if server.host:
            cloud.act(server, 'reboot', {'type': 'HARD'})
    _unshelve(cloud, 'shelved', LOCAL)
    root = next(volume for volume in shelved.disks if cloud.rules(
        'volume', volume)['bootable'])
    image = cloud.rules('volume', root)['volume_image_metadata']['image_id']
    other, = {images.IMAGE, images.OTHER_IMAGE} - {image}
    yield 'rebuild', 'accepted', stories.accepted(cloud.act(
        shelved, 'rebuild', {'imageRef': other}))
    yield 'its image', other, cloud.rules(
        'volume', root)['volume_image_metadata']['image_id']
    yield from _all(cloud, 'rebooted, and one rebuilt')
    _shelve(cloud, 'shelved')
    yield from _new_ones(cloud)
    yield from _all(cloud, 'at the end')


def _new_ones(cloud):
    """What was carried is as what is made by this release."""
    volume = cloud.volume()
    code, server = cloud.boot(stories.device(volume, attach_mode='ro'))
    new = Server(server['id'] if code < 300 else 'none', {volume: True})
    carried_one = cloud.servers['reads']
    old, = carried_one.disks
    yield 'columns of a device', cloud.columns(new)[volume], cloud.columns(
        carried_one)[old]
    yield ('keys of an attachment', *(sorted(cloud.ask(
        'GET', '/servers/%s/os-volume_attachments' % server.id)[1][
            'volumeAttachments'][0]) for server in (new, carried_one)))
    cloud.ask('DELETE', '/servers/' + new.id)


def end(cloud):
    """Nothing is left of the servers."""
    yield 'delete all', [], cloud.clear()
    cloud.servers.clear()


STORIES = {story.__name__: story
           for story in (begin, put_the_series_on, upgrade, end)}


def run(nova, names):
    """Start both computes, take the steps of stories, and save all.

    :param nova: a :class:`neighbours.Controllers`
    :param names: some of :data:`STORIES`
    """
    remembered = {'servers': {}, 'guests': {LOCAL: [], REMOTE: []}}
    if handover.exists(nova.folder):
        remembered = handover.story(nova.folder)
    guests = remembered['guests']
    nova.map_hosts()
    cloud = Cloud(nova, remembered['servers'])

    def start(_cloud):
        yield 'the other compute', 'started', nova.link.call(
            'start', REMOTE, guests[REMOTE])
        yield 'the compute', 'started', nova.start(LOCAL, guests[LOCAL])
        # Neither has reported yet.
        yield 'they count as up', set(), cloud.down()

    yield from runner.take(cloud, start)
    for name in names:
        yield from runner.take(cloud, STORIES[name])
    guests = {REMOTE: nova.link.call('stop', REMOTE),
              LOCAL: nova.stop(LOCAL)}
    handover.save(nova.folder, nova.cell_mappings, {
        'guests': guests, 'servers': {
            name: vars(server) for name, server in cloud.servers.items()}})
