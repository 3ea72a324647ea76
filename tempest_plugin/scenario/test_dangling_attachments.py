# SPDX-License-Identifier: Apache-2.0

import time

from tempest.common import utils
from tempest import config
from tempest.lib.common.utils import test_utils
from tempest.lib import decorators

from tempest_plugin.common import base

CONF = config.CONF
# Nobody waits longer than that for one test.
MOST_SECONDS = 60


class DanglingAttachmentsTest(base.BaseVolumeOpsTest):
    """A reboot repairs what compute and block storage disagree on"""

    features = ('dangling_cleanup',)
    # The first that shows the ids of attachments.
    min_microversion = '2.89'

    def boot_with_data_volumes(self, count=2):
        """A server whose guest sees its data volumes.

        :returns: the server, its guest and the volumes
        """
        server = self.boot_one()
        volumes = [self.create_data_volume() for _ in range(count)]
        for volume in volumes:
            self.attach(server['id'], volume)
        guest = self.guest(server)
        self.assert_guest_has(guest, volumes)
        return server, guest, volumes

    def attachment_id(self, server, volume):
        return self.servers_client.show_volume_attachment(
            server['id'], volume['id'])['volumeAttachment']['attachment_id']

    def cinder_attachments(self, server):
        """The ids of the attachments that Cinder holds for a server."""
        return {attachment['id'] for attachment in
                self.service_attachments_client.list_attachments(
                    instance_id=server['id'], all_tenants=1)['attachments']}

    def nova_attachments(self, server):
        """The ids of the attachments that Nova holds for a server."""
        return {attachment['attachment_id']
                for attachment in self.attachments(server['id'])}

    def lose_attachment(self, server, volume):
        """Delete an attachment in Cinder, unknown to Nova."""
        self.service_attachments_client.delete_attachment(
            self.attachment_id(server, volume))
        self.wait_for_volume(volume, 'available')

    def reboot(self, server, kind):
        self.servers_client.reboot_server(server['id'], type=kind)
        self.wait_for_server(server['id'], 'ACTIVE')

    def wait_until_believed(self):
        """Wait until Nova believes that what it attached last is gone."""
        # Cinder tells whole seconds.
        time.sleep(CONF.volume_ops.dangling_attachment_age + 1)

    def _attachment_deleted_in_cinder(self, kind):
        server, guest, (lost, kept) = self.boot_with_data_volumes()
        self.lose_attachment(server, lost)
        self.reboot(server, kind)
        self.assertEqual([kept['id']], self.attached_ids(server['id']))
        self.assert_guest_has(guest, [kept], gone=[lost])
        self.assertEqual('available', self.volume_status(lost))
        self.assertEqual(self.nova_attachments(server),
                         self.cinder_attachments(server))
        # What was fixed is as good as new.
        self.attach(server['id'], lost)
        self.assert_guest_has(guest, [kept, lost])

    @decorators.idempotent_id('31553879-e0fc-45f9-86ef-b446e6cdadda')
    @utils.services('compute', 'volume', 'image')
    def test_attachment_deleted_hard_reboot(self):
        """A hard reboot takes the disk of a lost attachment away"""
        self._attachment_deleted_in_cinder('HARD')

    @decorators.idempotent_id('8c7a7623-6bd2-457b-b2fa-af291a7e5a7d')
    @utils.services('compute', 'volume', 'image')
    def test_attachment_deleted_soft_reboot(self):
        """A soft reboot does so too, though the old guest had the disk"""
        self._attachment_deleted_in_cinder('SOFT')

    @decorators.idempotent_id('39e8b35f-9b72-471e-aedd-154535e039b8')
    @utils.services('compute', 'volume', 'image')
    def test_volume_deleted(self):
        """A volume that is gone goes from the server, which comes back"""
        if CONF.volume_ops.dangling_attachment_age > MOST_SECONDS:
            raise self.skipException(
                'Nova waits for %d seconds before it believes that a volume '
                'is gone' % CONF.volume_ops.dangling_attachment_age)
        server, guest, (lost, kept) = self.boot_with_data_volumes()
        # The storage keeps a volume that a running guest has open.
        self.servers_client.stop_server(server['id'])
        self.wait_for_server(server['id'], 'SHUTOFF')
        self.lose_attachment(server, lost)
        self.volumes_client.delete_volume(lost['id'])
        self.volumes_client.wait_for_resource_deletion(lost['id'])
        self.wait_until_believed()
        self.reboot(server, 'HARD')
        self.assertEqual([kept['id']], self.attached_ids(server['id']))
        self.assert_guest_has(guest, [kept], gone=[lost])

    @decorators.idempotent_id('622184f1-c555-4fd5-bfb1-754f7623215c')
    @utils.services('compute', 'volume', 'image')
    def test_attachment_replaced(self):
        """Another valid attachment of server and volume is adopted"""
        server, guest, (volume,) = self.boot_with_data_volumes(1)
        self.lose_attachment(server, volume)
        new = self.service_attachments_client.create_attachment(
            volume['id'], server['id'])['attachment']['id']
        self.reboot(server, 'HARD')
        self.assertEqual(new, self.attachment_id(server, volume))
        self.assertEqual({new}, self.cinder_attachments(server))
        self.assert_guest_has(guest, [volume])
        self.wait_for_volume(volume, 'in-use')

    @decorators.idempotent_id('5500d2dc-9cb4-474a-936e-fdb15b7ce993')
    @utils.services('compute', 'volume', 'image')
    def test_attachment_unknown_to_nova(self):
        """A second attachment of a volume that Nova never heard of goes"""
        server, guest, (volume,) = self.boot_with_data_volumes(1)
        held = self.attachment_id(server, volume)
        orphan = self.service_attachments_client.create_attachment(
            volume['id'], server['id'])['attachment']['id']
        self.addCleanup(
            test_utils.call_and_ignore_notfound_exc,
            self.service_attachments_client.delete_attachment, orphan)
        self.assertEqual({held, orphan}, self.cinder_attachments(server))
        self.reboot(server, 'HARD')
        self.assertEqual({held}, self.cinder_attachments(server))
        self.assertEqual(held, self.attachment_id(server, volume))
        self.assert_guest_has(guest, [volume])
        self.wait_for_volume(volume, 'in-use')

    @decorators.idempotent_id('f8296179-f93e-44b7-b932-4349a64ab80e')
    @utils.services('compute', 'volume', 'image')
    def test_root_volume_is_never_dropped(self):
        """A server keeps its root even when Cinder denies it"""
        server, root = self.boot_from_volume()
        guest = self.guest(server)
        self.assert_guest_has(guest, [root])
        self.lose_attachment(server, root)
        self.reboot(server, 'HARD')
        self.assertEqual([root['id']], self.attached_ids(server['id']))
        self.assert_guest_has(guest, [root])

    @decorators.idempotent_id('61076bfd-e1de-42ec-9234-2c121a5c71c1')
    @utils.services('compute', 'volume', 'image')
    def test_healthy_server_is_left_alone(self):
        """A reboot changes nothing of what both sides agree on"""
        server, guest, volumes = self.boot_with_data_volumes()
        before = self.attachments(server['id'])
        for kind in ('SOFT', 'HARD'):
            self.reboot(server, kind)
            self.assertEqual(before, self.attachments(server['id']))
            self.assertEqual(self.nova_attachments(server),
                             self.cinder_attachments(server))
        self.assert_guest_has(guest, volumes)
