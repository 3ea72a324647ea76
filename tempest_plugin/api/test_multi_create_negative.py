# SPDX-License-Identifier: Apache-2.0

from tempest import config
from tempest.lib import decorators

from tempest_plugin.common import base
from tempest_plugin.common import devices

CONF = config.CONF


class MultiCreateNegativeBase(base.BaseVolumeOpsTest):

    features = ('multi_create',)

    def assert_refused(self, *volumes):
        """Two servers on these volumes are a 400; no volume is touched."""
        self.assert_boot_refused(
            min_count=2, max_count=2, block_device_mapping_v2=[
                devices.image_device(CONF.compute.image_ref)] + [
                devices.data_device(volume) for volume in volumes])
        for volume in volumes:
            self.assertEqual('available', self.volume_status(volume))
            self.assertEqual(
                [], self.service_attachments_client.list_attachments(
                    volume_id=volume['id'], all_tenants=1)['attachments'])


class MultiCreateNegativeTest(MultiCreateNegativeBase):

    min_microversion = CONF.volume_ops.multi_create_microversion

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('74bfac19-2a35-4fc7-97d9-0ed90765b760')
    def test_volume_for_one_server(self):
        self.assert_refused(self.create_data_volume())

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('fb5e03ba-aa2f-4965-8049-ddd7833f8e43')
    def test_one_of_two_volumes_for_one_server(self):
        self.assert_refused(
            self.create_multiattach_volume(), self.create_data_volume())


class MultiCreateOldMicroversionNegativeTest(MultiCreateNegativeBase):

    min_microversion = '2.89'
    max_microversion = '2.89'

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('d4da6bf8-3fd3-4ad3-8a9e-3dc6d1f5ac97')
    def test_multiattach_volume(self):
        self.assert_refused(self.create_multiattach_volume())
