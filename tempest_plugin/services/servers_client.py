# SPDX-License-Identifier: Apache-2.0

import copy
import json

from tempest.lib.common import rest_client
from tempest.lib.services.compute import servers_client

ATTACH_MODE = {'attach_mode': {'type': 'string', 'enum': ['ro', 'rw']}}


def with_attach_mode(schema, *path):
    """A copy of a response schema in which attachments may have a mode.

    :param schema: one of Tempest's response schemas, dict
    :param path: the keys from the response's properties to the attachment
    :returns: the changed copy, dict
    """
    changed = copy.deepcopy(schema)
    attachment = changed['response_body']['properties']
    for key in path:
        attachment = attachment[key]
    attachment['properties'].update(ATTACH_MODE)
    return changed


class ServersClient(servers_client.ServersClient):
    """Tempest's client, for clouds whose attachments have an attach_mode."""

    def attach_volume(self, server_id, **kwargs):
        """Attach a volume.

        From microversion 2.101 on Nova answers 202 and the body is empty.
        """
        resp, body = self.post(
            'servers/%s/os-volume_attachments' % server_id,
            json.dumps({'volumeAttachment': kwargs}))
        self.expected_success([200, 202], resp.status)
        if resp.status == 202:
            return rest_client.ResponseBody(resp)
        body = json.loads(body)
        schema = self.get_schema(self.schema_versions_info).attach_volume
        self.validate_response(
            with_attach_mode(schema, 'volumeAttachment'), resp, body)
        return rest_client.ResponseBody(resp, body)

    def show_volume_attachment(self, server_id, volume_id):
        resp, body = self.get('servers/%s/os-volume_attachments/%s' % (
            server_id, volume_id))
        body = json.loads(body)
        schema = self.get_schema(
            self.schema_versions_info).show_volume_attachment
        self.validate_response(
            with_attach_mode(schema, 'volumeAttachment'), resp, body)
        return rest_client.ResponseBody(resp, body)

    def list_volume_attachments(self, server_id):
        resp, body = self.get('servers/%s/os-volume_attachments' % server_id)
        body = json.loads(body)
        schema = self.get_schema(
            self.schema_versions_info).list_volume_attachments
        self.validate_response(
            with_attach_mode(schema, 'volumeAttachments', 'items'),
            resp, body)
        return rest_client.ResponseBody(resp, body)
