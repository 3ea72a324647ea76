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
        return self._checked('attach_volume', resp, body, 'volumeAttachment')

    def show_volume_attachment(self, server_id, volume_id):
        return self._checked('show_volume_attachment', *self.get(
            'servers/%s/os-volume_attachments/%s' % (server_id, volume_id)),
            'volumeAttachment')

    def list_volume_attachments(self, server_id):
        return self._checked('list_volume_attachments', *self.get(
            'servers/%s/os-volume_attachments' % server_id),
            'volumeAttachments', 'items')

    def _checked(self, name, resp, body, *path):
        """Return an answer that has the schema of a method of Tempest's."""
        body = json.loads(body)
        schema = getattr(self.get_schema(self.schema_versions_info), name)
        self.validate_response(with_attach_mode(schema, *path), resp, body)
        return rest_client.ResponseBody(resp, body)
