# SPDX-License-Identifier: Apache-2.0

from tempest import config
from tempest.lib import decorators
from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import base

CONF = config.CONF


class RbacBase(base.BaseVolumeOpsTest):
    """Who may do what with the volumes of a server

    The server belongs to the project of the primary user, who is a member.
    """

    credentials = base.BaseVolumeOpsTest.credentials + [
        'project_reader', 'alt']

    @classmethod
    def setup_clients(cls):
        super().setup_clients()
        cls.reader_client, cls.other_client = [
            manager.volume_ops_compute.ServersClient()
            for manager in (cls.os_project_reader, cls.os_alt)]

    def require_reader(self):
        if not CONF.enforce_scope.nova:
            raise self.skipException(
                '[enforce_scope] nova is off: the older default policies '
                'know no reader')

    def server_with_volume(self, **kwargs):
        server, volume = self.boot_one(), self.create_data_volume()
        self.attach(server['id'], volume, **kwargs)
        return server, volume


class AttachModeRbacTest(RbacBase):

    features = ('attach_mode',)
    min_microversion = CONF.volume_ops.attach_mode_microversion

    @decorators.idempotent_id('b9d5f4ba-2610-40b9-921f-e4a9cdf67149')
    def test_who_sees_the_mode(self):
        """Reader, member and admin do, the other project sees no server"""
        server, volume = self.server_with_volume(attach_mode='ro')
        for client in (self.reader_client, self.servers_client,
                       self.admin_servers_client):
            shown, = client.list_volume_attachments(
                server['id'])['volumeAttachments']
            self.assertEqual('ro', shown['attach_mode'])
            self.assertEqual(shown, client.show_volume_attachment(
                server['id'], volume['id'])['volumeAttachment'])
        self.assertRaises(
            lib_exc.NotFound, self.other_client.list_volume_attachments,
            server['id'])
        self.assertRaises(
            lib_exc.NotFound, self.other_client.show_volume_attachment,
            server['id'], volume['id'])

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('71f7651a-f866-4ecc-a172-3e1716d34a64')
    def test_reader_may_not_attach(self):
        self.require_reader()
        self.assert_attach_refused(
            lib_exc.Forbidden, self.boot_one()['id'],
            self.create_data_volume(), self.reader_client, attach_mode='ro')

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('b44247bd-3a0b-4381-a443-33ae2c2e3dcc')
    def test_other_project_may_not_attach(self):
        self.assert_attach_refused(
            lib_exc.NotFound, self.boot_one()['id'],
            self.create_data_volume(), self.other_client, attach_mode='ro')


class ShelvedSwapRbacTest(RbacBase):

    features = ('shelved_swap',)
    compute_features = ('shelve',)
    min_microversion = CONF.volume_ops.shelved_microversion

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('122dfcff-9347-4e1d-a612-85bb0cb9207e')
    def test_swap_is_for_services(self):
        """Neither the owner nor anybody else of a project may swap"""
        server, old = self.server_with_volume()
        new = self.create_data_volume()
        self.shelve_to_offloaded(server['id'])
        for client, error in ((self.servers_client, lib_exc.Forbidden),
                              (self.reader_client, lib_exc.Forbidden),
                              (self.other_client, lib_exc.NotFound)):
            self.assertRaises(
                error, client.update_attached_volume,
                server['id'], old['id'], volumeId=new['id'], copy_data=False)
        self.assertEqual([old['id']], self.attached_ids(server['id']))
        self.assertEqual('available', self.volume_status(new))


class RebuildRbacTest(RbacBase):

    features = ('rebuild',)
    min_microversion = CONF.volume_ops.rebuild_microversion

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('12a63b56-99cd-4bc8-8bcf-3c68561916e9')
    def test_other_project_may_not_rebuild(self):
        server, root = self.boot_from_volume()
        self.assertRaises(
            lib_exc.NotFound, self.other_client.rebuild_server,
            server['id'], CONF.compute.image_ref_alt)
        self.assertEqual('in-use', self.volume_status(root))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('dfe6af85-3536-4a07-8e0d-398451d94ae6')
    def test_reader_may_not_rebuild(self):
        self.require_reader()
        server, root = self.boot_from_volume()
        self.assertRaises(
            lib_exc.Forbidden, self.reader_client.rebuild_server,
            server['id'], CONF.compute.image_ref_alt)
        self.assertEqual('in-use', self.volume_status(root))
