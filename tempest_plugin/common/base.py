# SPDX-License-Identifier: Apache-2.0

"""What the tests of this plugin share: clients, resources and their end."""

from tempest.api.compute import base
from tempest.common import compute
from tempest.common.utils.linux import remote_client
from tempest.common import waiters
from tempest import config
from tempest.lib.common.utils import data_utils
from tempest.lib.common.utils import test_utils
from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import devices
from tempest_plugin.common import guest
from tempest_plugin.common import removal
from tempest_plugin.common import report

CONF = config.CONF


class BaseVolumeOpsTest(removal.Removal, base.BaseV2ComputeAdminTest):
    """Servers and volumes that end with the test that made them.

    :cvar features: the options of [volume_ops] that must be on
    :cvar compute_features: those of [compute-feature-enabled]
    """

    create_default_network = True
    credentials = ['primary', 'admin', ['service_user', 'admin', 'service']]
    features = ()
    compute_features = ()
    # The first in which an attachment can be completed without a host.
    volume_min_microversion = '3.44'
    volume_max_microversion = 'latest'
    max_microversion = 'latest'

    @classmethod
    def skip_checks(cls):
        super().skip_checks()
        if not CONF.service_available.cinder:
            raise cls.skipException('Cinder is not available')
        for feature in cls.features:
            if not getattr(CONF.volume_ops, feature):
                raise cls.skipException(
                    '[volume_ops] %s is off: the cloud lacks the feature'
                    % feature)
        for feature in cls.compute_features:
            cls.require(feature)

    @classmethod
    def require(cls, feature):
        """Skip where [compute-feature-enabled] has a feature switched off."""
        if not getattr(CONF.compute_feature_enabled, feature):
            raise cls.skipException(
                '[compute-feature-enabled] %s is off' % feature)

    @classmethod
    def setup_credentials(cls):
        cls.prepare_instance_network()
        super().setup_credentials()

    @classmethod
    def setup_clients(cls):
        super().setup_clients()
        cls.servers_client = cls.os_primary.volume_ops_compute.ServersClient()
        cls.admin_servers_client = (
            cls.os_admin.volume_ops_compute.ServersClient())
        cls.service_servers_client = (
            cls.os_service_user.volume_ops_compute.ServersClient())
        cls.service_attachments_client = (
            cls.os_service_user.volume_ops_volume.AttachmentsClient())
        cls.admin_volumes_client = cls.os_admin.volumes_client_latest
        cls.admin_volume_types_client = (
            cls.os_admin.volume_types_client_latest)

    def setUp(self):
        super().setUp()
        self._server_ids = []
        self._volume_ids = []
        self._volume_type_ids = []
        # What a guest is logged in to with, by the server's id.
        self._validation_resources = {}
        # The last of these runs first.
        self.addCleanup(self._remove_volume_types)
        self.addCleanup(self._remove_volumes)

    @staticmethod
    def name(kind):
        return data_utils.rand_name(
            prefix=CONF.resource_name_prefix, name='volume-ops-' + kind)

    # Volumes

    def create_data_volume(self, **kwargs):
        """Create a volume that ends with the test.

        :param kwargs: as of Tempest's volumes client; ``size`` in GiB
        :returns: the volume, dict
        """
        kwargs.setdefault('size', CONF.volume.volume_size)
        kwargs.setdefault('name', self.name('volume'))
        if CONF.volume.volume_type:
            kwargs.setdefault('volume_type', CONF.volume.volume_type)
        if CONF.compute.compute_volume_common_az:
            kwargs.setdefault('availability_zone',
                              CONF.compute.compute_volume_common_az)
        volume = self.volumes_client.create_volume(**kwargs)['volume']
        self._volume_ids.append(volume['id'])
        waiters.wait_for_volume_resource_status(
            self.volumes_client, volume['id'], 'available')
        return self.volumes_client.show_volume(volume['id'])['volume']

    def create_image_volume(self):
        """Create a volume that holds the image [compute] image_ref."""
        return self.create_data_volume(imageRef=CONF.compute.image_ref)

    def create_multiattach_volume(self, **kwargs):
        """Create a volume for several servers; skip where there are none."""
        self.require('volume_multiattach')
        client = self.admin_volume_types_client
        volume_type = client.create_volume_type(
            name=self.name('multiattach'),
            extra_specs={'multiattach': '<is> True'})['volume_type']
        self._volume_type_ids.append(volume_type['id'])
        return self.create_data_volume(
            volume_type=volume_type['name'], **kwargs)

    def swap(self, server_id, old, new, copy_data):
        """Swap an attached volume, as block storage services ask for it.

        :param old: the attached volume, dict
        :param new: the volume to take its place, dict
        :param copy_data: whether the server is where the data is copied
        """
        self.service_servers_client.update_attached_volume(
            server_id, old['id'], volumeId=new['id'], copy_data=copy_data)

    # Servers

    def boot(self, **kwargs):
        """Create one or more servers that end with the test.

        :param kwargs: as of Tempest's create_test_server
        :returns: a list of servers, dict
        """
        # Only who logs in needs a network.
        network = None
        if CONF.validation.run_validation:
            network = self.get_tenant_network()
        if not network:
            kwargs.setdefault('networks', 'none')
        kwargs.setdefault('name', self.name('server'))
        resources = self.get_test_validation_resources(self.os_primary)
        _, servers = compute.create_test_server(
            self.os_primary, tenant_network=network,
            validatable=CONF.validation.run_validation,
            validation_resources=resources, **kwargs)
        self._server_ids.extend(server['id'] for server in servers)
        # The servers go before the security group that they are in.
        self.addCleanup(self._remove_servers)
        for server in servers:
            self.wait_for_server(server['id'], 'ACTIVE')
        servers = [self.show(server['id']) for server in servers]
        if CONF.validation.run_validation:
            self._wait_for_logins(servers, network, resources)
        return servers

    def _wait_for_logins(self, servers, network, resources):
        for server in servers:
            if self._validation_resources and 'floating_ip' in resources:
                own = self.get_test_validation_resources(self.os_primary)
                resources = dict(resources, floating_ip=own['floating_ip'])
            self._validation_resources[server['id']] = resources
            compute.wait_for_ssh_or_ping(
                server, self.os_primary, network, True, resources,
                'SSHABLE', True)

    def boot_one(self, **kwargs):
        """Create one server, see :meth:`boot`.

        :returns: the server, dict
        """
        return self.boot(**kwargs)[0]

    def boot_from_volume(self, volume=None):
        """Create a server whose root is a volume.

        :param volume: the root volume, dict; by default a new one
        :returns: a tuple of the server and its root volume
        """
        volume = volume or self.create_image_volume()
        return self.boot_one(image_id='', block_device_mapping_v2=[
            devices.root_device(volume)]), volume

    def assert_boot_refused(self, **kwargs):
        """Creating servers like this is a 400 that leaves none behind.

        :param kwargs: of the request; name, flavor and networks are given
        """
        name = self.name('refused')
        try:
            self.servers_client.create_server(
                name=name, flavorRef=CONF.compute.flavor_ref,
                networks='none', **kwargs)
        except lib_exc.BadRequest:
            refused = True
        else:
            refused = False
        left = self.servers_client.list_servers(name=name)['servers']
        self._server_ids.extend(server['id'] for server in left)
        self.addCleanup(self._remove_servers)
        self.assertTrue(refused, 'The request was accepted')
        self.assertEqual([], left)

    def show(self, server_id):
        return self.servers_client.show_server(server_id)['server']

    def attach(self, server_id, volume, **kwargs):
        """Attach a volume and wait until Nova and Cinder agree on it.

        :param volume: the volume, dict
        :param kwargs: more of the request, for example ``attach_mode``
        :returns: the attachment as Nova shows it
        """
        self.servers_client.attach_volume(
            server_id, volumeId=volume['id'], **kwargs)
        waiters.wait_for_volume_attachment_create(
            self.volumes_client, volume['id'], server_id)
        self.wait_for_volume(volume, 'in-use')
        return next(shown for shown in self.attachments(server_id)
                    if shown['volumeId'] == volume['id'])

    def assert_attach_refused(self, error, server_id, volume, client=None,
                              **kwargs):
        """Attaching like this fails so, and the volume stays available.

        :param client: the servers client that asks, by default the member's
        """
        client = client or self.servers_client
        self.assertRaises(error, client.attach_volume, server_id,
                          volumeId=volume['id'], **kwargs)
        self.assertEqual('available', self.volume_status(volume))

    def detach(self, server_id, volume):
        """Detach a volume and wait until Nova has forgotten it."""
        self.servers_client.detach_volume(server_id, volume['id'])
        waiters.wait_for_volume_attachment_remove_from_server(
            self.servers_client, server_id, volume['id'])

    def attachments(self, server_id):
        """A server's attachments in the order of their making."""
        return self.servers_client.list_volume_attachments(
            server_id)['volumeAttachments']

    def attached_ids(self, server_id):
        return [attachment['volumeId']
                for attachment in self.attachments(server_id)]

    def attach_modes(self, server_id):
        """A dict of the attached volumes' ids and modes."""
        return {attachment['volumeId']: attachment['attach_mode']
                for attachment in self.attachments(server_id)}

    def volume_status(self, volume):
        return self.volumes_client.show_volume(
            volume['id'])['volume']['status']

    def wait_for_server(self, server_id, status, **kwargs):
        return waiters.wait_for_server_status(
            self.servers_client, server_id, status, **kwargs)

    def wait_for_volume(self, volume, status):
        waiters.wait_for_volume_resource_status(
            self.volumes_client, volume['id'], status)

    def shelve_to_offloaded(self, server_id):
        self.servers_client.shelve_server(server_id)
        if CONF.compute.shelved_offload_time < 0:
            # A server on a volume leaves its host all the same.
            test_utils.call_until_true(
                self._is_shelved, CONF.compute.build_timeout,
                CONF.compute.build_interval, server_id)
            if self.show(server_id)['status'] == 'SHELVED':
                # By default only an administrator may do so.
                self.admin_servers_client.shelve_offload_server(server_id)
        self.wait_for_server(
            server_id, 'SHELVED_OFFLOADED',
            extra_timeout=max(CONF.compute.shelved_offload_time, 0))

    def _is_shelved(self, server_id):
        server = self.show(server_id)
        return (server['status'].startswith('SHELVED') and
                not server['OS-EXT-STS:task_state'])

    def unshelve(self, server_id):
        self.servers_client.unshelve_server(server_id)
        self.wait_for_server(server_id, 'ACTIVE')

    # Guests

    def guest(self, server):
        """What to ask a server's guest with.

        :param server: the server, dict
        :returns: a :class:`tempest_plugin.common.guest.Guest`
        """
        timeout = CONF.compute.build_timeout
        interval = CONF.compute.build_interval
        if not CONF.validation.run_validation:
            return guest.ConsoleGuest(
                self.servers_client, server['id'],
                report.Parser(CONF.volume_ops.console_begin_pattern,
                              CONF.volume_ops.console_disk_pattern),
                timeout, interval)

        resources = self._validation_resources[server['id']]

        def connect():
            return remote_client.RemoteClient(
                compute.get_server_ip(
                    server, validation_resources=resources),
                CONF.validation.image_ssh_user,
                CONF.validation.image_ssh_password,
                resources['keypair']['private_key'],
                server=server, servers_client=self.servers_client)

        return guest.SSHGuest(
            connect, data_utils.rand_name('system'), timeout, interval)

    def assert_guest_has(self, guest_, volumes, gone=()):
        """The guest sees these volumes and does not see those.

        :param volumes: volumes that must be there, dicts
        :param gone: volumes that must not be there, dicts
        :returns: the report that shows it
        """
        def agrees(seen):
            return (all(seen.disk_of(volume['id']) for volume in volumes) and
                    not any(seen.disk_of(volume['id']) for volume in gone))

        return guest_.wait_for(agrees, 'the volumes %s without %s' % (
            [volume['id'] for volume in volumes],
            [volume['id'] for volume in gone]))

    def assert_modes(self, server, guest_, read_only=(), writable=()):
        """Nova shows the modes and the guest's own writes obey them.

        :param read_only: volumes, dicts
        :param writable: volumes, dicts
        """
        seen = self.assert_guest_has(guest_, [*read_only, *writable])
        modes = self.attach_modes(server['id'])
        for volumes, mode in ((read_only, 'ro'), (writable, 'rw')):
            for volume in volumes:
                disk = seen.disk_of(volume['id'])
                self.assertEqual(
                    (mode, mode == 'ro', mode == 'rw'),
                    (modes[volume['id']], disk.read_only, disk.writable))

    def assert_places(self, server_id, seen, volumes):
        """Nova's device names are the guest's, in the order of attachment.

        :param seen: the guest's report
        :param volumes: the data volumes in the order of attachment, dicts
        """
        shown = {attachment['volumeId']: attachment['device']
                 for attachment in self.attachments(server_id)}
        names = ['/dev/' + seen.disk_of(volume['id']).name
                 for volume in volumes]
        self.assertEqual([shown[volume['id']] for volume in volumes], names)
        self.assertEqual(sorted(names), names)
