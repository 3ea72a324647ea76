# SPDX-License-Identifier: Apache-2.0

from tempest.common import utils
from tempest import config
from tempest.lib import decorators

from tempest_plugin.common import base
from tempest_plugin.common import devices

CONF = config.CONF


class MultiCreateTest(base.BaseVolumeOpsTest):
    """Several servers of one request on one multiattach volume"""

    features = ('multi_create',)
    min_microversion = CONF.volume_ops.multi_create_microversion

    def assert_attached_to_all(self, volume, servers):
        """Every server has an attachment of its own and sees the volume."""
        attachments = [
            self.servers_client.show_volume_attachment(
                server['id'], volume['id'])['volumeAttachment']
            for server in servers]
        self.assertEqual(
            len(servers),
            len({shown['attachment_id'] for shown in attachments}))
        shown = self.volumes_client.show_volume(volume['id'])['volume']
        self.assertEqual('in-use', shown['status'])
        self.assertEqual(
            {(server['id'], attachment['attachment_id'])
             for server, attachment in zip(servers, attachments)},
            {(attachment['server_id'], attachment['attachment_id'])
             for attachment in shown['attachments']})
        for server in servers:
            self.assert_guest_has(self.guest(server), [volume])

    @decorators.idempotent_id('f18250e3-0036-4de7-8abb-61a0a1c9db90')
    @utils.services('compute', 'volume', 'image')
    def test_data_volume(self):
        """Three servers share a data volume and can lose it one by one"""
        volume = self.create_multiattach_volume()
        servers = self.boot(min_count=3, max_count=3, block_device_mapping_v2=[
            devices.image_device(CONF.compute.image_ref),
            devices.data_device(volume)])
        self.assertEqual(3, len(servers))
        self.assert_attached_to_all(volume, servers)
        self.detach(servers[0]['id'], volume)
        self.assert_guest_has(self.guest(servers[0]), [], gone=[volume])
        self.assert_attached_to_all(volume, servers[1:])

    @decorators.idempotent_id('b583512b-33d0-42a6-9200-40aa8abd434b')
    @utils.services('compute', 'volume', 'image')
    def test_data_volume_with_modes(self):
        """One server writes what the two of another request only read"""
        if not CONF.volume_ops.attach_mode:
            raise self.skipException(
                '[volume_ops] attach_mode is off: the cloud lacks the feature')
        volume = self.create_multiattach_volume()
        image = devices.image_device(CONF.compute.image_ref)
        writers = self.boot(block_device_mapping_v2=[
            image, devices.data_device(volume, attach_mode='rw')])
        readers = self.boot(min_count=2, max_count=2, block_device_mapping_v2=[
            image, devices.data_device(volume, attach_mode='ro')])
        self.assert_attached_to_all(volume, writers + readers)
        for servers, key in ((writers, 'writable'), (readers, 'read_only')):
            for server in servers:
                self.assert_modes(
                    server, self.guest(server), **{key: [volume]})

    @decorators.idempotent_id('41d06b93-c53c-4a20-961a-85d08902df4d')
    @utils.services('compute', 'volume', 'image')
    def test_root_volume(self):
        """Two servers boot from one volume"""
        if CONF.validation.run_validation:
            raise self.skipException(
                '[validation] run_validation is on: a guest that is logged '
                'in to writes to its root, and two cannot share one')
        volume = self.create_multiattach_volume(
            imageRef=CONF.compute.image_ref)
        servers = self.boot(
            image_id='', min_count=2, max_count=2,
            block_device_mapping_v2=[devices.root_device(volume)])
        self.assertEqual(2, len(servers))
        self.assert_attached_to_all(volume, servers)
