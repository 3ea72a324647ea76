# SPDX-License-Identifier: Apache-2.0

from tempest import config
from tempest.lib.common.utils import data_utils
from tempest.lib import decorators
from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import base

CONF = config.CONF


class ShelvedNegativeBase(base.BaseVolumeOpsTest):

    compute_features = ('shelve',)

    def assert_swap_refused(self, error, server, old_id, new_id, **fields):
        """The swap fails so, and the server's attachments are untouched."""
        before = self.attachments(server['id'])
        self.assertRaises(
            error, self.service_servers_client.update_attached_volume,
            server['id'], old_id, volumeId=new_id, **fields)
        self.assertEqual(before, self.attachments(server['id']))

    def offloaded_server_with(self, *volumes):
        server = self.boot_one()
        for volume in volumes:
            self.attach(server['id'], volume)
        self.shelve_to_offloaded(server['id'])
        return server


class ShelvedSwapNegativeTest(ShelvedNegativeBase):

    features = ('shelved_swap',)
    min_microversion = CONF.volume_ops.shelved_microversion

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('5077531f-2478-4891-8154-4740e3e623b1')
    def test_wrong_volumes(self):
        """Too small, unknown, taken or not attached: nothing changes"""
        size = CONF.volume.volume_size
        old = self.create_data_volume(size=size + 1)
        small = self.create_data_volume(size=size)
        other = self.create_data_volume(size=size + 1)
        free = self.create_data_volume(size=size + 1)
        server = self.offloaded_server_with(old, other)
        nowhere = data_utils.rand_uuid()
        for error, old_id, new_id in (
                (lib_exc.BadRequest, old['id'], small['id']),
                (lib_exc.BadRequest, old['id'], other['id']),
                (lib_exc.BadRequest, old['id'], nowhere),
                (lib_exc.NotFound, free['id'], small['id']),
                (lib_exc.NotFound, nowhere, free['id'])):
            self.assert_swap_refused(
                error, server, old_id, new_id, copy_data=False)
        for volume in (small, free):
            self.assertEqual('available', self.volume_status(volume))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('e9061c6f-e86f-4239-96ca-3f98ea63f9e8')
    def test_root_volume(self):
        server, root = self.boot_from_volume()
        new = self.create_data_volume(size=root['size'])
        self.shelve_to_offloaded(server['id'])
        self.assert_swap_refused(
            lib_exc.BadRequest, server, root['id'], new['id'],
            copy_data=False)
        self.assertEqual('available', self.volume_status(new))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('5d1c6a7e-0c7f-4c51-9c46-0d8f2b0f9a34')
    def test_copy_while_offloaded(self):
        """Who relies on a copy, or does not say, gets no swap without one"""
        old, new = self.create_data_volume(), self.create_data_volume()
        server = self.offloaded_server_with(old)
        for error, fields in ((lib_exc.Conflict, {'copy_data': True}),
                              (lib_exc.BadRequest, {})):
            self.assert_swap_refused(
                error, server, old['id'], new['id'], **fields)
        self.assertEqual('available', self.volume_status(new))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('9c6c2a0e-e8bd-47ba-9064-61ee5290f97e')
    def test_volume_in_migration(self):
        """Cinder would delete the source of a migration without a copy"""
        old, new = self.create_data_volume(), self.create_data_volume()
        server = self.offloaded_server_with(old)
        self.admin_volumes_client.reset_volume_status(
            old['id'], migration_status='migrating')
        try:
            self.assert_swap_refused(
                lib_exc.Conflict, server, old['id'], new['id'],
                copy_data=False)
        finally:
            self.admin_volumes_client.reset_volume_status(
                old['id'], migration_status='none')
        self.assertEqual('available', self.volume_status(new))


class ShelvedSwapOldMicroversionNegativeTest(ShelvedNegativeBase):
    """The state of the server is a conflict below the microversion"""

    features = ('shelved_swap',)
    min_microversion = '2.89'
    max_microversion = '2.89'

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('773da905-c6e6-4f48-acdc-737893917a7f')
    def test_swap(self):
        old, new = self.create_data_volume(), self.create_data_volume()
        server = self.offloaded_server_with(old)
        self.assert_swap_refused(
            lib_exc.Conflict, server, old['id'], new['id'])
        self.assertEqual('available', self.volume_status(new))


class OffloadedAttachNegativeTest(ShelvedNegativeBase):
    """What a host must support cannot be asked for below the microversion"""

    features = ('shelved_attach',)
    min_microversion = '2.89'
    max_microversion = '2.89'

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('aaa50a4d-5321-459e-aeb2-1ccd398eb8dd')
    def test_tag(self):
        server = self.offloaded_server_with()
        self.assert_attach_refused(
            lib_exc.BadRequest, server['id'], self.create_data_volume(),
            tag='scratch')

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('c9fc48d3-50ea-47e8-b3ab-5b15bd25ebec')
    def test_multiattach_volume(self):
        volume = self.create_multiattach_volume()
        server = self.offloaded_server_with()
        self.assert_attach_refused(lib_exc.BadRequest, server['id'], volume)
