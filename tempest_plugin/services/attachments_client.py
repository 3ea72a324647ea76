# SPDX-License-Identifier: Apache-2.0

import json
from urllib import parse

from tempest.lib.common import rest_client
from tempest.lib.services.volume.v3 import attachments_client


class AttachmentsClient(attachments_client.AttachmentsClient):
    """The block storage attachments, as Nova and its operators handle them."""

    def list_attachments(self, **params):
        """List the attachments in short form.

        :param params: filters, for example ``instance_id`` and
            ``all_tenants``
        """
        resp, body = self.get('attachments?%s' % parse.urlencode(params))
        self.expected_success(200, resp.status)
        return rest_client.ResponseBody(resp, json.loads(body))

    def create_attachment(self, volume_id, server_id):
        """Reserve a volume for a server (microversion 3.27).

        :param volume_id: the volume's UUID
        :param server_id: the server's UUID
        """
        resp, body = self.post('attachments', json.dumps({
            'attachment': {'volume_uuid': volume_id,
                           'instance_uuid': server_id}}))
        self.expected_success(200, resp.status)
        return rest_client.ResponseBody(resp, json.loads(body))

    def delete_attachment(self, attachment_id):
        """Delete an attachment as a service does, behind Nova's back.

        Cinder refuses to delete an attachment in use unless the request
        carries the token of a user with the service role; this client's own
        user must have it.
        """
        resp, body = self.delete(
            'attachments/%s' % attachment_id, extra_headers=True,
            headers={'X-Service-Token': self.auth_provider.get_token()})
        self.expected_success(200, resp.status)
        return rest_client.ResponseBody(resp, json.loads(body))
