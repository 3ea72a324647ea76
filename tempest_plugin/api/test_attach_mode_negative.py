# SPDX-License-Identifier: Apache-2.0

from tempest import config
from tempest.lib.common.utils import data_utils
from tempest.lib import decorators
from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import base
from tempest_plugin.common import devices

CONF = config.CONF


class AttachModeNegativeTest(base.BaseVolumeOpsTest):

    features = ('attach_mode',)
    min_microversion = CONF.volume_ops.attach_mode_microversion

    def _server_and_volume(self):
        return self.boot_one(), self.create_data_volume()

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('76784812-add0-482b-b97e-445f396ebdb2')
    def test_attach_with_a_wrong_mode(self):
        server, volume = self._server_and_volume()
        for mode in ('', 'RO', 'r', 'read-only', None, 1):
            self.assert_attach_refused(
                lib_exc.BadRequest, server['id'], volume, attach_mode=mode)
        self.assertEqual([], self.attachments(server['id']))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('a6fa134d-8c71-4636-8ca1-fd1ada89989b')
    def test_mode_cannot_be_updated(self):
        """Neither by an update nor by attaching the volume once more"""
        server, volume = self._server_and_volume()
        self.attach(server['id'], volume, attach_mode='ro')
        self.assertRaises(
            lib_exc.BadRequest, self.servers_client.update_attached_volume,
            server['id'], volume['id'], volumeId=volume['id'],
            attach_mode='rw')
        self.assertRaises(
            lib_exc.BadRequest, self.servers_client.attach_volume,
            server['id'], volumeId=volume['id'], attach_mode='rw')
        self.assertEqual({volume['id']: 'ro'},
                         self.attach_modes(server['id']))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('70f728da-bff7-4e03-b9a9-c433a648b6d0')
    def test_no_server_or_no_volume(self):
        server, volume = self._server_and_volume()
        self.assert_attach_refused(
            lib_exc.NotFound, data_utils.rand_uuid(), volume, attach_mode='ro')
        self.assertRaises(
            lib_exc.NotFound, self.servers_client.attach_volume,
            server['id'], volumeId=data_utils.rand_uuid(), attach_mode='ro')

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('8246032a-9f05-4355-aecc-899be34a129b')
    def test_boot_with_a_wrong_mode(self):
        """Or with one that the bus lacks: IDE and SATA disks are writable"""
        volume = self.create_data_volume()
        for fields in (
                {'attach_mode': ''}, {'attach_mode': 'RO'},
                {'attach_mode': None}, {'attach_mode': True},
                {'attach_mode': 'ro', 'disk_bus': 'ide'},
                {'attach_mode': 'ro', 'disk_bus': 'sata'}):
            self.assert_boot_refused(block_device_mapping_v2=[
                devices.image_device(CONF.compute.image_ref),
                devices.data_device(volume, **fields)])
        self.assertEqual('available', self.volume_status(volume))

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('a1d47a1b-1a6f-492a-9f4a-00df7846143e')
    def test_boot_with_a_local_device(self):
        """What is no volume has no mode, be it image or blank disk"""
        image = CONF.compute.image_ref
        for mode in ('ro', 'rw'):
            self.assert_boot_refused(block_device_mapping_v2=[
                devices.image_device(image, attach_mode=mode)])
            self.assert_boot_refused(block_device_mapping_v2=[
                devices.image_device(image),
                {'source_type': 'blank', 'destination_type': 'local',
                 'boot_index': -1, 'attach_mode': mode}])

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('3f7c39c2-264f-417b-9b73-afa4f5e16b96')
    def test_boot_with_the_legacy_mapping(self):
        volume = self.create_image_volume()
        self.assert_boot_refused(block_device_mapping=[
            {'volume_id': volume['id'], 'device_name': 'vda',
             'attach_mode': 'ro'}])
        self.assertEqual('available', self.volume_status(volume))


class AttachModeOldMicroversionNegativeTest(base.BaseVolumeOpsTest):
    """attach_mode is an unknown key below its microversion"""

    features = ('attach_mode',)
    min_microversion = '2.89'
    max_microversion = '2.89'

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('381d15d1-51ae-4bab-9442-472454c79834')
    def test_attach(self):
        self.assert_attach_refused(
            lib_exc.BadRequest, self.boot_one()['id'],
            self.create_data_volume(), attach_mode='ro')

    @decorators.attr(type=['negative'])
    @decorators.idempotent_id('83d8c969-1b42-4df6-beb9-7e993aa8986a')
    def test_boot(self):
        volume = self.create_data_volume()
        self.assert_boot_refused(block_device_mapping_v2=[
            devices.image_device(CONF.compute.image_ref),
            devices.data_device(volume, attach_mode='ro')])
        self.assertEqual('available', self.volume_status(volume))
