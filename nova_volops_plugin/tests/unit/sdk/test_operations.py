# SPDX-License-Identifier: Apache-2.0

import types

from openstack import exceptions

from nova_volops_plugin.sdk import operations
from nova_volops_plugin.sdk import progress
from nova_volops_plugin.tests.unit.sdk import stub

ATTACHMENTS = '%s/servers/%s/os-volume_attachments' % (stub.URL, stub.SERVER)
REQUEST = 'req-1'
ACTION = '%s/servers/%s/os-instance-actions/%s' % (
    stub.URL, stub.SERVER, REQUEST)


def _event(result, **fields):
    return {'json': {'instanceAction': {'events': [
        dict(fields, event='compute_swap_volume', result=result)]}}}


class TestOperations(stub.TestCase):

    def setUp(self):
        super().setUp()
        self.volumes = operations.VolumeOperations(
            self.connect((2, 106), (2, 105)))

    def test_attachments(self):
        self.mock.get(ATTACHMENTS, json={'volumeAttachments': [
            {'volumeId': stub.VOLUME, 'attach_mode': 'ro',
             'device': '/dev/vdb', 'tag': 'data', 'bdm_uuid': 'x',
             'attachment_id': 'y', 'delete_on_termination': True}]})
        found, = self.volumes.attachments(stub.SERVER)
        self.assertEqual(
            (stub.SERVER, stub.VOLUME, 'ro', '/dev/vdb', 'data', 'x', 'y',
             True),
            (found.server_id, found.volume_id, found.attach_mode,
             found.device, found.tag, found.bdm_id, found.attachment_id,
             found.delete_on_termination))
        self.assertEqual('compute 2.106', self.sent()[-1].version)

    def test_attach_that_is_answered_without_words(self):
        self.mock.post(ATTACHMENTS, status_code=202)
        # Objects are as good as ids.
        server, volume = (types.SimpleNamespace(id=each)
                          for each in (stub.SERVER, stub.VOLUME))
        found = self.volumes.attach(server, volume, mode='ro')
        self.assertEqual((stub.VOLUME, 'ro', None), (
            found.volume_id, found.attach_mode, found.device))
        self.assertEqual(
            {'volumeAttachment': {
                'volumeId': stub.VOLUME, 'attach_mode': 'ro'}},
            self.sent()[-1].body)

    def test_swap_says_what_it_relies_on(self):
        self.mock.put(ATTACHMENTS + '/' + stub.VOLUME, status_code=202)
        for copy_data, said in ((None, {}), (True, {'copy_data': True}),
                                (False, {'copy_data': False})):
            self.volumes.swap(
                stub.SERVER, stub.VOLUME, stub.SERVER, copy_data=copy_data)
            self.assertEqual(
                {'volumeAttachment': dict(said, volumeId=stub.SERVER)},
                self.sent()[-1].body)

    def test_swap_without_attach_mode(self):
        self.mock.put(ATTACHMENTS + '/' + stub.VOLUME, status_code=202,
                      headers={'x-openstack-request-id': REQUEST})
        self.mock.get(ACTION, **_event('Success'))
        self.mock.get(ATTACHMENTS, json={
            'volumeAttachments': [{'volumeId': stub.SERVER}]})
        volumes = operations.VolumeOperations(
            self.connect((2, 106), swaps_from=(2, 106)))
        volumes.swap(
            stub.SERVER, stub.VOLUME, stub.SERVER, copy_data=True, wait=5)
        self.assertEqual(('GET', 'compute 2.106'), (
            self.sent()[-1].method, self.sent()[-1].version))


class TestRequest(stub.TestCase):

    def setUp(self):
        super().setUp()
        self.request = progress.Request(
            self.connect((2, 106)).compute, stub.SERVER, REQUEST)

    def test_course(self):
        self.mock.get(ACTION, [
            {'status_code': 404}, _event(None), _event('Success')])
        self.assertFalse(self.request.has_ended())
        self.assertFalse(self.request.has_ended())
        self.assertTrue(self.request.has_ended())
        self.assertFalse(self.request.runs())

    def test_failure(self):
        self.mock.get(ACTION, [
            _event('Error', details='It is full.'), _event('Error')])
        error = self.assertRaises(
            exceptions.ResourceFailure, self.request.has_ended)
        self.assertEqual(
            'request req-1 on server %s failed: It is full.' % stub.SERVER,
            str(error))
        error = self.assertRaises(
            exceptions.ResourceFailure, self.request.runs)
        self.assertIn('compute_swap_volume', str(error))
