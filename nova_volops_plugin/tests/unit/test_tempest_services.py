# SPDX-License-Identifier: Apache-2.0

import json
from unittest import mock

from tempest.lib import exceptions as lib_exc
from tempest.lib.services.compute import base_compute_client
import testtools

from tempest_plugin.services import attachments_client
from tempest_plugin.services import servers_client

SERVER = '8d1f0c7b-2a94-4386-b7f0-8c3d21e6a95f'
SHOWN = {'device': '/dev/vdb', 'serverId': SERVER, 'volumeId': SERVER,
         'tag': None, 'delete_on_termination': False,
         'attachment_id': SERVER, 'bdm_uuid': SERVER, 'attach_mode': 'ro'}


class Response(dict):
    """What a RestClient's raw_request answers first."""

    def __init__(self, status, **headers):
        super().__init__({'status': str(status)}, **headers)
        self.status = status


class ClientTest(testtools.TestCase):

    client_class = None
    microversion = '2.105'

    def setUp(self):
        super().setUp()
        auth = mock.Mock()
        auth.get_token.return_value = 'token'
        auth.auth_request.side_effect = (
            lambda method, url, headers=None, body=None, filters=None:
            (url, headers, body))
        self.client = self.client_class(auth, 'service', 'region')
        patch = mock.patch.object(
            base_compute_client, 'COMPUTE_MICROVERSION', self.microversion)
        patch.start()
        self.addCleanup(patch.stop)

    def answer(self, status, body=''):
        """Let the server answer so; return what records the request."""
        headers = {'content-type': 'application/json',
                   'x-openstack-nova-api-version': self.microversion}
        text = json.dumps(body) if body else ''
        patch = mock.patch.object(
            self.client, 'raw_request',
            return_value=(Response(status, **headers), text))
        self.addCleanup(patch.stop)
        return patch.start()


class ServersClientTest(ClientTest):

    client_class = servers_client.ServersClient

    def test_attach_without_a_body(self):
        request = self.answer(202)
        self.client.attach_volume(SERVER, volumeId=SERVER, attach_mode='ro')
        args, kwargs = request.call_args
        self.assertEqual(('servers/%s/os-volume_attachments' % SERVER,
                          'POST'), args)
        self.assertEqual(
            {'volumeAttachment': {'volumeId': SERVER, 'attach_mode': 'ro'}},
            json.loads(kwargs['body']))

    def test_attach_with_a_body(self):
        body = {key: SHOWN[key] for key in (
            'device', 'serverId', 'volumeId', 'tag',
            'delete_on_termination', 'attach_mode')}
        self.answer(200, {'volumeAttachment': dict(body, id=SERVER)})
        self.assertEqual('ro', self.client.attach_volume(
            SERVER, volumeId=SERVER)['volumeAttachment']['attach_mode'])

    def test_list_and_show(self):
        self.answer(200, {'volumeAttachments': [SHOWN]})
        self.assertEqual([SHOWN], self.client.list_volume_attachments(
            SERVER)['volumeAttachments'])
        self.answer(200, {'volumeAttachment': SHOWN})
        self.assertEqual(SHOWN, self.client.show_volume_attachment(
            SERVER, SERVER)['volumeAttachment'])

    def test_wrong_mode_in_an_answer(self):
        self.answer(200, {'volumeAttachment': dict(SHOWN, attach_mode='x')})
        self.assertRaises(
            lib_exc.InvalidHTTPResponseBody,
            self.client.show_volume_attachment, SERVER, SERVER)

    def test_unknown_key_in_an_answer(self):
        self.answer(200, {'volumeAttachments': [dict(SHOWN, extra=1)]})
        self.assertRaises(
            lib_exc.InvalidHTTPResponseBody,
            self.client.list_volume_attachments, SERVER)

    def test_tempest_schemas_are_not_changed(self):
        self.answer(200, {'volumeAttachment': SHOWN})
        self.client.show_volume_attachment(SERVER, SERVER)
        schema = self.client.get_schema(self.client.schema_versions_info)
        properties = schema.show_volume_attachment['response_body'][
            'properties']['volumeAttachment']['properties']
        self.assertNotIn('attach_mode', properties)


class AttachmentsClientTest(ClientTest):

    client_class = attachments_client.AttachmentsClient

    def test_delete_as_a_service(self):
        request = self.answer(200, {'attachments': []})
        self.client.delete_attachment(SERVER)
        args, kwargs = request.call_args
        self.assertEqual(('attachments/%s' % SERVER, 'DELETE'), args)
        self.assertEqual('token', kwargs['headers']['X-Service-Token'])

    def test_list_filters(self):
        request = self.answer(200, {'attachments': []})
        self.client.list_attachments(instance_id=SERVER, all_tenants=1)
        self.assertEqual(
            'attachments?instance_id=%s&all_tenants=1' % SERVER,
            request.call_args[0][0])

    def test_create(self):
        request = self.answer(200, {'attachment': {'id': SERVER}})
        self.client.create_attachment('volume', 'server')
        self.assertEqual(
            {'attachment': {'volume_uuid': 'volume',
                            'instance_uuid': 'server'}},
            json.loads(request.call_args[1]['body']))
