# SPDX-License-Identifier: Apache-2.0

import io
import struct

from tempest.common import utils
from tempest.common import waiters
from tempest import config
from tempest.lib.common.utils import test_utils
from tempest.lib import decorators
from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import base

CONF = config.CONF

# A qcow2 header (version 3, 64 MiB) whose first-level table is too small for
# the size it claims: the image service takes it, and whoever converts it
# fails.
BROKEN_QCOW2 = struct.pack(
    '>4sIQIIQIIQQIIQQQQII', b'QFI\xfb', 3, 0, 0, 16, 64 * 1024 * 1024, 0,
    0, 0x30000, 0x10000, 1, 0, 0, 0, 0, 0, 4, 104).ljust(256 * 1024, b'\0')


class RebuildTest(base.BaseVolumeOpsTest):
    """Rebuild of a server whose root is a volume"""

    features = ('rebuild',)
    min_microversion = CONF.volume_ops.rebuild_microversion
    # The first of os-reimage.
    volume_min_microversion = '3.68'

    @classmethod
    def skip_checks(cls):
        super().skip_checks()
        if CONF.compute.image_ref == CONF.compute.image_ref_alt:
            raise cls.skipException(
                '[compute] image_ref_alt is image_ref: a rebuilt guest '
                'cannot be told from the old one')

    def boot_with_data_volume(self, root=None):
        """A volume-backed server with a data volume, known by its system.

        :returns: the server, its guest, the system's mark, root and data
        """
        server, root = self.boot_from_volume(root)
        data = self.create_data_volume()
        self.attach(server['id'], data)
        guest = self.guest(server)
        self.assert_guest_has(guest, [root, data])
        return server, guest, guest.mark_system(), root, data

    def rebuild(self, server, image_id=None):
        self.servers_client.rebuild_server(
            server['id'], image_id or CONF.compute.image_ref_alt)

    def assert_rebuilt(self, server, guest, mark, root, data):
        """The guest is another one, its volumes are the same."""
        self.assertNotEqual(mark, self.assert_guest_has(
            guest, [root, data]).image)
        self.assertEqual([root['id'], data['id']],
                         self.attached_ids(server['id']))
        for volume in (root, data):
            self.wait_for_volume(volume, 'in-use')
        volume = self.volumes_client.show_volume(root['id'])['volume']
        self.assertEqual(CONF.compute.image_ref_alt,
                         volume['volume_image_metadata']['image_id'])

    def create_broken_image(self):
        image_id = self.images_client.create_image(
            name=self.name('broken'), disk_format='qcow2',
            container_format='bare', visibility='private')['id']
        self.addCleanup(test_utils.call_and_ignore_notfound_exc,
                        self.images_client.delete_image, image_id)
        self.images_client.store_image_file(image_id, io.BytesIO(BROKEN_QCOW2))
        return image_id

    @decorators.idempotent_id('0c09500e-7792-4ad4-86bf-85fc0f161cf1')
    @utils.services('compute', 'volume', 'image')
    def test_new_image(self):
        """The guest boots the new image from the same root volume"""
        server, guest, *rest = self.boot_with_data_volume()
        self.rebuild(server)
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_rebuilt(server, guest, *rest)

    @decorators.idempotent_id('4556caf2-aeae-4252-b81c-5ec96bf675c7')
    @utils.services('compute', 'volume', 'image')
    def test_stopped_server(self):
        """A stopped server stays stopped and starts the new image"""
        server, guest, *rest = self.boot_with_data_volume()
        self.servers_client.stop_server(server['id'])
        self.wait_for_server(server['id'], 'SHUTOFF')
        self.rebuild(server)
        self.wait_for_server(server['id'], 'SHUTOFF')
        self.servers_client.start_server(server['id'])
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_rebuilt(server, guest, *rest)

    @decorators.idempotent_id('6d3e8453-ea08-4798-95c7-3fa4085af4da')
    @utils.services('compute', 'volume', 'image')
    def test_server_in_error(self):
        """A server in ERROR can be rebuilt"""
        server, guest, *rest = self.boot_with_data_volume()
        self.admin_servers_client.reset_state(server['id'], state='error')
        self.rebuild(server)
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_rebuilt(server, guest, *rest)

    @decorators.idempotent_id('5877d4de-4f46-4406-bb8d-23e1526888be')
    @utils.services('compute', 'volume', 'image')
    def test_reimage_refused(self):
        """A refused re-image leaves the server as it was

        Another server that shares the root volume would get another system
        below its feet, so no volume that is shared is re-imaged.
        """
        root = self.create_multiattach_volume(
            imageRef=CONF.compute.image_ref)
        server, guest, mark, root, data = self.boot_with_data_volume(root)
        self.attach(self.boot_one()['id'], root)
        before = self.attachments(server['id'])
        self.assertRaises(lib_exc.Conflict, self.rebuild, server)
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assertEqual(mark, self.assert_guest_has(
            guest, [root, data]).image)
        self.assertEqual(before, self.attachments(server['id']))
        for volume in (root, data):
            self.assertEqual('in-use', self.volume_status(volume))

    @decorators.idempotent_id('99945436-6414-4cf5-a999-1206525db6e3')
    @utils.services('compute', 'volume', 'image')
    def test_reimage_fails_then_rebuild_again(self):
        """A failed re-image is an ERROR that another rebuild repairs"""
        server, guest, *rest = self.boot_with_data_volume()
        root = rest[1]
        self.rebuild(server, self.create_broken_image())
        waiters.wait_for_volume_resource_status(
            self.volumes_client, root['id'], 'error')
        self._wait_for_error(server['id'])
        self.admin_volumes_client.reset_volume_status(
            root['id'], status='reserved')
        self.rebuild(server)
        self.wait_for_server(server['id'], 'ACTIVE')
        self.assert_rebuilt(server, guest, *rest)

    def _wait_for_error(self, server_id):
        def is_error():
            server = self.show(server_id)
            return (server['status'] == 'ERROR' and
                    server['OS-EXT-STS:task_state'] is None)

        if not test_utils.call_until_true(
                is_error, CONF.volume_ops.rebuild_failure_timeout,
                CONF.compute.build_interval):
            raise lib_exc.TimeoutException(
                'Server %s is not ERROR %d s after its root volume was' % (
                    server_id, CONF.volume_ops.rebuild_failure_timeout))
