# SPDX-License-Identifier: Apache-2.0

from tempest.common import utils
from tempest import config
from tempest.lib import decorators

from tempest_plugin.common import base
from tempest_plugin.common import devices

CONF = config.CONF


class AttachModeBase(base.BaseVolumeOpsTest):

    features = ('attach_mode',)
    min_microversion = CONF.volume_ops.attach_mode_microversion

    def boot_with_both_modes(self, server=None):
        """A server with one read-only and one writable volume.

        :param server: a server that is ACTIVE, None for one from the image
        :returns: the server, its guest, and the modes' keywords
        """
        server = server or self.boot_one()
        read_only, writable = [self.create_data_volume() for _ in range(2)]
        # Read-only first: the mode must not leak to the volume after it.
        self.attach(server['id'], read_only, attach_mode='ro')
        self.attach(server['id'], writable)
        guest = self.guest(server)
        modes = {'read_only': [read_only], 'writable': [writable]}
        self.assert_modes(server, guest, **modes)
        return server, guest, modes


class AttachModeTest(AttachModeBase):
    """The mode of a volume as its guest meets it"""

    @decorators.idempotent_id('48c521cb-e652-44ff-8a07-915457369855')
    @utils.services('compute', 'volume', 'image')
    def test_two_servers_with_two_modes(self):
        """One multiattach volume, writable here and read-only there"""
        volume = self.create_multiattach_volume()
        writer, reader = self.boot_one(), self.boot_one()
        self.attach(writer['id'], volume, attach_mode='rw')
        self.attach(reader['id'], volume, attach_mode='ro')
        self.assert_modes(writer, self.guest(writer), writable=[volume])
        self.assert_modes(reader, self.guest(reader), read_only=[volume])

    @decorators.idempotent_id('ec7ca7c9-c925-45ec-a76d-4d6f8a9630c7')
    @utils.services('compute', 'volume', 'image')
    def test_boot(self):
        """Block device mappings carry the mode from the start"""
        read_only, writable = [self.create_data_volume() for _ in range(2)]
        server = self.boot_one(block_device_mapping_v2=[
            devices.image_device(CONF.compute.image_ref),
            devices.data_device(read_only, attach_mode='ro'),
            devices.data_device(writable)])
        self.assert_modes(server, self.guest(server), read_only=[read_only],
                          writable=[writable])

    @decorators.idempotent_id('5e135911-0466-41c5-a855-71af2b7b106d')
    @utils.services('compute', 'volume', 'image')
    def test_hard_reboot_and_stop(self):
        """The mode outlives every new definition of the guest"""
        server, guest, modes = self.boot_with_both_modes()
        self.servers_client.reboot_server(server['id'], type='HARD')
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_modes(server, guest, **modes)
        self.servers_client.stop_server(server['id'])
        self.wait_for_server(server['id'], 'SHUTOFF')
        self.servers_client.start_server(server['id'])
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_modes(server, guest, **modes)

    @decorators.attr(type='slow')
    @decorators.idempotent_id('b58760be-3034-4bcf-852f-7c57e8fde0ba')
    @utils.services('compute', 'volume', 'image')
    def test_shelve(self):
        """The mode outlives an offload and may be given while offloaded"""
        self.require('shelve')
        server, guest, modes = self.boot_with_both_modes()
        late = self.create_data_volume()
        self.shelve_to_offloaded(server['id'])
        self.attach(server['id'], late, attach_mode='ro')
        self.unshelve(server['id'])
        modes['read_only'].append(late)
        self.assert_modes(server, guest, **modes)

    @decorators.attr(type='slow')
    @decorators.idempotent_id('899b6363-5e5d-49f3-b278-f2dc54d537be')
    @utils.services('compute', 'volume', 'image')
    def test_resize(self):
        """The mode outlives a resize and its revert"""
        self.require('resize')
        server, guest, modes = self.boot_with_both_modes()
        for finish in (self.servers_client.revert_resize_server,
                       self.servers_client.confirm_resize_server):
            self.servers_client.resize_server(
                server['id'], CONF.compute.flavor_ref_alt)
            self.wait_for_server(server['id'], 'VERIFY_RESIZE')
            self.assert_modes(server, guest, **modes)
            finish(server['id'])
            self.wait_for_server(server['id'], 'ACTIVE')
            self.assert_modes(server, guest, **modes)

    @decorators.idempotent_id('82178779-4a8c-4d2b-b775-63c8aab368b5')
    @utils.services('compute', 'volume', 'image')
    def test_rebuild(self):
        """The mode outlives a rebuild"""
        server, guest, modes = self.boot_with_both_modes()
        self.servers_client.rebuild_server(
            server['id'], CONF.compute.image_ref)
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_modes(server, guest, **modes)


class AttachModeMigrationTest(AttachModeBase):
    """The mode of a volume on the way to another host"""

    @classmethod
    def skip_checks(cls):
        super().skip_checks()
        if CONF.compute.min_compute_nodes < 2:
            raise cls.skipException(
                '[compute] min_compute_nodes is less than 2: there is no '
                'other host to go to')

    @decorators.attr(type=['slow', 'multinode'])
    @decorators.idempotent_id('7a7ee037-6d27-4a50-9c4b-9b32a4fcd6c0')
    @utils.services('compute', 'volume', 'image')
    def test_cold_migration(self):
        """The mode outlives a cold migration"""
        self.require('cold_migration')
        server, guest, modes = self.boot_with_both_modes()
        source = self.get_host_for_server(server['id'])
        self.admin_servers_client.migrate_server(server['id'])
        self.wait_for_server(server['id'], 'VERIFY_RESIZE')
        self.assertNotEqual(source, self.get_host_for_server(server['id']))
        self.assert_modes(server, guest, **modes)
        self.servers_client.confirm_resize_server(server['id'])
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_modes(server, guest, **modes)

    @decorators.attr(type=['slow', 'multinode'])
    @decorators.idempotent_id('b97b4925-da8e-4002-954c-b55992f7fffc')
    @utils.services('compute', 'volume', 'image')
    def test_live_migration(self):
        """The mode outlives a live migration there and back"""
        self.require('live_migration')
        # All its disks are volumes: the hosts need no other shared storage.
        server, guest, modes = self.boot_with_both_modes(
            self.boot_from_volume()[0])
        for _ in range(2):
            source = self.get_host_for_server(server['id'])
            self.admin_servers_client.live_migrate_server(
                server['id'], host=None, block_migration='auto')
            self.wait_for_server(server['id'], 'ACTIVE')
            self.assertNotEqual(
                source, self.get_host_for_server(server['id']))
            self.assert_modes(server, guest, **modes)
