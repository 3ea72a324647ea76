# SPDX-License-Identifier: Apache-2.0

"""The end of what a test has made."""

import time

from tempest.common import waiters
from tempest import config
from tempest.lib.common.utils import test_utils
from tempest.lib import exceptions as lib_exc

CONF = config.CONF


class Removal:
    """Mixed into a test that lists the ids of what it has made."""

    def _remove_servers(self):
        server_ids, self._server_ids = self._server_ids, []
        for server_id in server_ids:
            test_utils.call_and_ignore_notfound_exc(
                self.admin_servers_client.delete_server, server_id)
        for server_id in server_ids:
            waiters.wait_for_server_termination(
                self.admin_servers_client, server_id, ignore_error=True)

    def _remove_volume_types(self):
        for type_id in self._volume_type_ids:
            self.admin_volume_types_client.delete_volume_type(type_id)

    def _remove_volumes(self):
        """Delete the test's volumes; one still attached fails the test."""
        held = []
        for volume_id in self._volume_ids:
            try:
                self._wait_until_free(volume_id)
                self.volumes_client.delete_volume(volume_id)
            except lib_exc.NotFound:
                continue
            except lib_exc.TimeoutException:
                held.append(volume_id)
                self._free(volume_id)
                self.volumes_client.delete_volume(volume_id)
        for volume_id in self._volume_ids:
            self.volumes_client.wait_for_resource_deletion(volume_id)
        self.assertEqual([], held, 'Volumes were still attached or changing '
                                   'after their servers were deleted')

    def _wait_until_free(self, volume_id):
        deadline = time.monotonic() + CONF.volume.build_timeout
        while True:
            volume = self.volumes_client.show_volume(volume_id)['volume']
            if volume['status'] in ('available', 'error'):
                return
            if time.monotonic() > deadline:
                raise lib_exc.TimeoutException(
                    'Volume %s stays %s' % (volume_id, volume['status']))
            time.sleep(CONF.volume.build_interval)

    def _free(self, volume_id):
        client = self.service_attachments_client
        for attachment in client.list_attachments(
                volume_id=volume_id, all_tenants=1)['attachments']:
            client.delete_attachment(attachment['id'])
        self.admin_volumes_client.reset_volume_status(
            volume_id, status='available', attach_status='detached')
