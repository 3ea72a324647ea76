# SPDX-License-Identifier: Apache-2.0

import io

from tempest import config
from tempest.lib.common.utils import data_utils
from tempest.lib import decorators
from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import base

CONF = config.CONF


class RebuildNegativeBase(base.BaseVolumeOpsTest):

    features = ('rebuild',)

    def assert_rebuild_refused(self, error, server, root, image_id):
        """The rebuild fails so, and server and root are as they were."""
        status = self.show(server['id'])['status']
        self.assertRaises(error, self.servers_client.rebuild_server,
                          server['id'], image_id)
        server = self.show(server['id'])
        self.assertEqual((status, None),
                         (server['status'], server['OS-EXT-STS:task_state']))
        shown = self.volumes_client.show_volume(root['id'])['volume']
        self.assertEqual('in-use', shown['status'])
        self.assertEqual(root['volume_image_metadata'],
                         shown['volume_image_metadata'])

    def create_image(self, **kwargs):
        """Create an image without data that ends with the test."""
        image_id = self.images_client.create_image(
            name=self.name('image'), disk_format='raw',
            container_format='bare', visibility='private', **kwargs)['id']
        self.addCleanup(self.images_client.delete_image, image_id)
        return image_id


class RebuildNegativeTest(RebuildNegativeBase):

    min_microversion = CONF.volume_ops.rebuild_microversion

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('679f419a-69f5-4138-b8d0-aaca0cc7ed9d')
    def test_wrong_images(self):
        """Unknown, without data, or for larger disks"""
        server, root = self.boot_from_volume()
        larger = self.create_image(min_disk=root['size'] + 1)
        self.images_client.store_image_file(
            larger, io.BytesIO(b'volume-ops' * 100))
        for image_id in (data_utils.rand_uuid(), self.create_image(), larger):
            self.assert_rebuild_refused(
                lib_exc.BadRequest, server, root, image_id)

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('9a50d7e1-978b-49ed-9d53-edc418174667')
    def test_paused_server(self):
        if not CONF.compute_feature_enabled.pause:
            raise self.skipException('Pause is not available')
        server, root = self.boot_from_volume()
        self.servers_client.pause_server(server['id'])
        self.wait_for_server(server['id'], 'PAUSED')
        self.assert_rebuild_refused(
            lib_exc.Conflict, server, root, CONF.compute.image_ref_alt)


class RebuildOldMicroversionNegativeTest(RebuildNegativeBase):
    """A new image for a volume-backed server needs the microversion"""

    min_microversion = '2.89'
    max_microversion = '2.89'

    @classmethod
    def skip_checks(cls):
        super().skip_checks()
        if CONF.compute.image_ref == CONF.compute.image_ref_alt:
            raise cls.skipException(
                '[compute] image_ref_alt is image_ref: a rebuild with the '
                'same image is allowed')

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('f61af1a7-1cf2-40b3-8719-cf4c605040bc')
    def test_new_image(self):
        server, root = self.boot_from_volume()
        self.assert_rebuild_refused(
            lib_exc.BadRequest, server, root, CONF.compute.image_ref_alt)
