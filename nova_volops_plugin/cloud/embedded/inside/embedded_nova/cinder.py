# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Nova's CinderFixture, holding volumes that someone created.

The series gives that fixture Cinder's status rules. Where it lacks them, on a
base as released, the volumes are as permissive as Nova's tests know them.
"""

import inspect

import fixtures
from nova import context as nova_context
from nova import exception
from nova.tests.fixtures import cinder
from nova.volume import cinder as volume_api
from oslo_utils import timeutils
from oslo_utils import uuidutils


class Cinder(cinder.CinderFixture):
    """The volumes of the embedded cloud.

    :ivar types: the volume types by name, each a dict of extra specs
    """

    def __init__(self, test, **kwargs):
        known = inspect.signature(cinder.CinderFixture.__init__).parameters
        if 'strict' in known:
            kwargs['strict'] = True
        super().__init__(test, **kwargs)
        self.types = {'standard': {}, 'multiattach': {
            'multiattach': '<is> True'}}
        self._plain = {}

    def setUp(self):
        super().setUp()
        self._get = volume_api.API().get
        self.useFixture(fixtures.MockPatch(
            'nova.volume.cinder.API.get', side_effect=self._show,
            autospec=False))

    def _show(self, context, volume_id, microversion=None):
        if volume_id not in self.ids():
            # Nova's fixture would make one up.
            raise exception.VolumeNotFound(volume_id=volume_id)
        volume = self._get(context, volume_id, microversion=microversion)
        if volume_id in self._plain:
            known = dict(self._plain[volume_id])
            if known['status'] == 'available':
                known['status'] = volume['status']
            volume.update(known)
        return volume

    # What the volume API asks.

    @property
    def _rules(self):
        return getattr(self, 'rules', None)

    def add(self, size, name, description, type_name, image):
        """Create a volume.

        :param size: in GiB
        :param type_name: the name of one of the types
        :param image: the image its content comes from, a dict, or None
        :returns: the volume's UUID
        """
        fields = {
            'display_name': name,
            'display_description': description,
            'volume_type_id': type_name,
            'created_at': timeutils.utcnow().isoformat(),
        }
        if image:
            fields['volume_image_metadata'] = {
                'image_id': image['id'], 'image_name': image['name']}
        volume = dict(
            size=size, bootable=bool(image),
            multiattach=self.types[type_name].get(
                'multiattach') == '<is> True', **fields)
        if self._rules:
            return self._rules.add_volume(**volume)
        volume_id = uuidutils.generate_uuid()
        self._plain[volume_id] = dict(
            volume, id=volume_id, status='available', volume_metadata={},
            availability_zone=self.az, migration_status=None)
        return volume_id

    def ids(self):
        """Return the UUIDs of all volumes."""
        if self._rules:
            return list(self._rules._volumes)
        # Volumes that Nova itself creates; not every base's fixture can.
        return list(self._plain) + list(getattr(self, 'volumes', ()))

    def show(self, volume_id):
        """Return a volume as Nova's own API of Cinder gives it.

        :raises nova.exception.VolumeNotFound: there is none
        """
        return volume_api.API().get(
            nova_context.get_admin_context(), volume_id)

    def set_status(self, volume_id, status):
        """Set the status, whatever it was: os-reset_status."""
        self.show(volume_id)
        if self._rules:
            self._rules.set_status(volume_id, status)
        else:
            self._plain[volume_id]['status'] = status

    def delete(self, volume_id):
        """Delete a volume that is not in use.

        :raises nova.exception.InvalidInput: its status forbids it
        """
        if self._rules:
            volume_api.API().delete(
                nova_context.get_admin_context(), volume_id)
            return
        volume = self.show(volume_id)
        if volume['status'] not in ('available', 'error') or (
                self.attachments(volume_id)):
            raise exception.InvalidInput(
                reason='the volume is %s' % volume['status'])
        del self._plain[volume_id]

    def attachments(self, volume_id=None, server_id=None):
        """Return the attachments, a list of dicts.

        :param volume_id: only those of the volume
        :param server_id: only those of the server
        """
        if self._rules:
            return self._rules.attachments(volume_id, server_id)
        return [
            dict(row, volume_id=of_volume, attach_status='attached')
            for of_volume, rows in list(self.volume_to_attachment.items())
            for row in list(rows.values())
            if volume_id in (None, of_volume) and
            server_id in (None, row['instance_uuid'])]

    def remove_attachment(self, attachment_id):
        """Delete an attachment behind Nova's back."""
        if self._rules:
            self._rules.remove_attachment(attachment_id)
        else:
            for rows in self.volume_to_attachment.values():
                rows.pop(attachment_id, None)
