# SPDX-License-Identifier: Apache-2.0

from tempest.common import utils
from tempest import config
from tempest.lib import decorators

from tempest_plugin.common import base

CONF = config.CONF


class ShelvedVolumesBase(base.BaseVolumeOpsTest):

    compute_features = ('shelve',)
    min_microversion = CONF.volume_ops.shelved_microversion


class OffloadedVolumesTest(ShelvedVolumesBase):
    """Volume operations on a server that is on no host"""

    features = ('shelved_swap',)

    def _detach_swap_attach(self, server):
        kept, old, dropped, new, added = [
            self.create_data_volume() for _ in range(5)]
        for volume in (kept, old, dropped):
            self.attach(server['id'], volume)
        guest = self.guest(server)
        self.assert_guest_has(guest, [kept, old, dropped], gone=[new, added])

        self.shelve_to_offloaded(server['id'])
        self.detach(server['id'], dropped)
        self.wait_for_volume(dropped, 'available')
        self.swap(server['id'], old, new, copy_data=False)
        self.wait_for_volume(old, 'available')
        self.wait_for_volume(new, 'in-use')
        self.attach(server['id'], added)
        data = [kept['id'], new['id'], added['id']]
        self.assertEqual(data, self.attached_ids(server['id'])[-3:])

        self.unshelve(server['id'])
        seen = self.assert_guest_has(
            guest, [kept, new, added], gone=[old, dropped])
        self.assert_places(server['id'], seen, [kept, new, added])
        for volume in (kept, new, added):
            self.assertEqual('in-use', self.volume_status(volume))

    @decorators.idempotent_id('e0dc6ec0-c1a7-4493-840a-23e944e5038a')
    @utils.services('compute', 'volume', 'image')
    def test_image_backed_server(self):
        """Detach, swap and attach while offloaded, then look from inside"""
        self._detach_swap_attach(self.boot_one())

    @decorators.attr(type='slow')
    @decorators.idempotent_id('cf9f4603-9668-467a-a349-aebd4c95ad00')
    @utils.services('compute', 'volume', 'image')
    def test_volume_backed_server(self):
        """The same on a server whose root is a volume"""
        server, root = self.boot_from_volume()
        self._detach_swap_attach(server)
        self.assertEqual(root['id'], self.attached_ids(server['id'])[0])


class OffloadedAttachTest(ShelvedVolumesBase):
    """Attachments that used to be refused while offloaded"""

    features = ('shelved_attach',)

    @decorators.idempotent_id('a46ff89b-42fb-4ab0-a10c-7af0bae201cd')
    @utils.services('compute', 'volume', 'image')
    def test_names_follow_the_order_of_attachment(self):
        """Nova and the guest give three volumes names in one order"""
        server = self.boot_one()
        volumes = [self.create_data_volume() for _ in range(3)]
        self.shelve_to_offloaded(server['id'])
        for volume in volumes:
            self.assertIsNone(
                self.attach(server['id'], volume).get('device'))
        self.unshelve(server['id'])
        seen = self.assert_guest_has(self.guest(server), volumes)
        self.assert_places(server['id'], seen, volumes)

    @decorators.idempotent_id('17691238-f9f7-4300-8b55-0c96eb0c244f')
    @utils.services('compute', 'volume', 'image')
    def test_tagged_attach(self):
        """A volume's tag outlives the unshelve"""
        server = self.boot_one()
        volume = self.create_data_volume()
        self.shelve_to_offloaded(server['id'])
        self.assertEqual(
            'scratch',
            self.attach(server['id'], volume, tag='scratch')['tag'])
        self.unshelve(server['id'])
        self.assert_guest_has(self.guest(server), [volume])
        attachment, = [shown for shown in self.attachments(server['id'])
                       if shown['volumeId'] == volume['id']]
        self.assertEqual('scratch', attachment['tag'])

    @decorators.idempotent_id('b70086c6-783a-4a86-a2f5-6b0e835614c6')
    @utils.services('compute', 'volume', 'image')
    def test_multiattach(self):
        """A volume in use by one server goes to another, offloaded one"""
        volume = self.create_multiattach_volume()
        running, offloaded = self.boot_one(), self.boot_one()
        self.attach(running['id'], volume)
        self.shelve_to_offloaded(offloaded['id'])
        self.attach(offloaded['id'], volume)
        self.unshelve(offloaded['id'])
        self.assert_guest_has(self.guest(offloaded), [volume])
        self.assert_guest_has(self.guest(running), [volume])

    @decorators.idempotent_id('8f324c2e-0924-497e-859a-ce4a5f5cbd10')
    @utils.services('compute', 'volume', 'image')
    def test_detach_keeps_the_volume(self):
        """delete_on_termination is for the server's end, not the volume's"""
        server = self.boot_one()
        volume = self.create_data_volume()
        self.shelve_to_offloaded(server['id'])
        self.attach(server['id'], volume, delete_on_termination=True)
        self.detach(server['id'], volume)
        self.wait_for_volume(volume, 'available')


class ShelvedOnHostTest(ShelvedVolumesBase):
    """Volume operations on a shelved server that is still on its host"""

    features = ('shelved_swap',)

    @classmethod
    def skip_checks(cls):
        super().skip_checks()
        if CONF.compute.shelved_offload_time == 0:
            raise cls.skipException(
                '[compute] shelved_offload_time is 0: no server stays SHELVED')

    @decorators.idempotent_id('dddb07a7-eb9e-49cb-966b-4a2911747cf2')
    @utils.services('compute', 'volume', 'image')
    def test_detach_swap_attach(self):
        """A swap copies the data, as it does on a running server"""
        server = self.boot_one()
        old = self.create_image_volume()
        new = self.create_data_volume(size=old['size'])
        dropped, added = self.create_data_volume(), self.create_data_volume()
        for volume in (old, dropped):
            self.attach(server['id'], volume)
        guest = self.guest(server)
        seen = self.assert_guest_has(guest, [old, dropped])
        head = seen.disk_of(old['id']).head
        self.assertNotEqual(seen.disk_of(dropped['id']).head, head)

        self.servers_client.shelve_server(server['id'])
        self.wait_for_server(server['id'], 'SHELVED')
        self.detach(server['id'], dropped)
        self.wait_for_volume(dropped, 'available')
        self.swap(server['id'], old, new, copy_data=True)
        self.wait_for_volume(old, 'available')
        self.wait_for_volume(new, 'in-use')
        # The volumes are ready before the task of the server has ended.
        self.wait_for_server(server['id'], 'SHELVED')
        self.attach(server['id'], added)

        self.unshelve(server['id'])
        seen = self.assert_guest_has(
            guest, [new, added], gone=[old, dropped])
        self.assertEqual(head, seen.disk_of(new['id']).head)
        self.assert_places(server['id'], seen, [new, added])
