# SPDX-License-Identifier: Apache-2.0

from tempest import config
from tempest.lib import decorators

from tempest_plugin.common import base

CONF = config.CONF


class AttachModeViewTest(base.BaseVolumeOpsTest):
    """attach_mode in requests and answers"""

    features = ('attach_mode',)
    min_microversion = CONF.volume_ops.attach_mode_microversion

    @decorators.idempotent_id('0a4ffa5d-3b98-4d83-950b-1d6316bed2b9')
    def test_list_and_show(self):
        """Every attachment has a mode, rw when none was asked for"""
        server, root = self.boot_from_volume()
        plain, writable, read_only = [
            self.create_data_volume() for _ in range(3)]
        self.attach(server['id'], plain)
        self.attach(server['id'], writable, attach_mode='rw')
        self.attach(server['id'], read_only, attach_mode='ro')
        expected = {root['id']: 'rw', plain['id']: 'rw',
                    writable['id']: 'rw', read_only['id']: 'ro'}
        self.assertEqual(expected, self.attach_modes(server['id']))
        for volume_id, mode in expected.items():
            shown = self.servers_client.show_volume_attachment(
                server['id'], volume_id)['volumeAttachment']
            self.assertEqual(mode, shown['attach_mode'])

    @decorators.idempotent_id('e361291b-35f8-4a82-a0b1-0ab2a427c6e6')
    def test_reattach_with_another_mode(self):
        """The mode belongs to the attachment, not to the volume"""
        server = self.boot_one()
        volume = self.create_data_volume()
        for mode in ('ro', 'rw'):
            shown = self.attach(server['id'], volume, attach_mode=mode)
            self.assertEqual(mode, shown['attach_mode'])
            self.detach(server['id'], volume)
            self.wait_for_volume(volume, 'available')


class AttachModeHiddenTest(base.BaseVolumeOpsTest):
    """attach_mode does not exist below its microversion"""

    features = ('attach_mode',)
    min_microversion = '2.89'
    max_microversion = '2.89'

    @decorators.idempotent_id('ea865101-4b87-4dc2-bbc4-5426775ac18c')
    def test_list_and_show(self):
        server, root = self.boot_from_volume()
        shown, = self.attachments(server['id'])
        self.assertNotIn('attach_mode', shown)
        self.assertNotIn('attach_mode', self.servers_client.
                         show_volume_attachment(
                             server['id'], root['id'])['volumeAttachment'])
