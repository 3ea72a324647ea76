# SPDX-License-Identifier: Apache-2.0

"""Nova's CinderFixture with volumes that users create.

The series has one that holds Cinder's status rules. On a base as released
the volumes are as permissive as Nova's tests know them.
"""

import threading

from cinderclient import exceptions as cinder_exceptions
import fixtures
from nova import context as nova_context
from nova import exception
from nova.volume import cinder as volume_api
from oslo_utils import timeutils
from oslo_utils import uuidutils

try:
    from nova.tests.fixtures.cinder_status import (
        StrictCinderFixture as CinderFixture)
except ImportError:
    from nova.tests.fixtures.cinder import CinderFixture

REIMAGE_SECONDS = 0.5
# Nova's fixture lets each volume pass.
_check_attached = volume_api.API.check_attached


class Cinder(CinderFixture):
    """The volumes of the embedded cloud.

    :ivar types: the volume types by name, each a dict of extra specs
    :ivar send_event: called with the name, the server and the tag of an
        event that Cinder sends to Nova
    """

    def __init__(self, test, **kwargs):
        super().__init__(test, **kwargs)
        self.types = {'standard': {}, 'multiattach': {
            'multiattach': '<is> True'}}
        self.send_event = lambda name, server_id, tag: None
        self._plain = {}
        self._completed = set()
        self._refusals = []

    def setUp(self):
        super().setUp()
        self._get = volume_api.API().get
        self.useFixture(fixtures.MockPatch(
            'nova.volume.cinder.API.get', side_effect=self._show,
            autospec=False))
        if self._rules:
            self.useFixture(fixtures.MonkeyPatch(
                'nova.volume.cinder.API.check_attached', _check_attached))
        self._complete = volume_api.API().attachment_complete
        self.useFixture(fixtures.MockPatch(
            'nova.volume.cinder.API.attachment_complete',
            side_effect=self._note_complete, autospec=False))
        # No volume type here encrypts.
        self.useFixture(fixtures.MockPatch(
            'nova.volume.cinder.API.get_volume_encryption_metadata',
            return_value={}))
        if not hasattr(volume_api.API, 'reimage_volume'):
            return
        self._start_reimage = volume_api.API().reimage_volume
        if self._rules:
            self._rules.on_reimaged = self._on_reimaged
            self._rules.reimage_outcome = 'hang'
        self.useFixture(fixtures.MockPatch(
            'nova.volume.cinder.API.reimage_volume',
            side_effect=self._ruled_reimage if self._rules else self._reimage,
            autospec=False))

    def _note_complete(self, context, attachment_id):
        self._complete(context, attachment_id)
        self._completed.add(attachment_id)

    def _on_reimaged(self, server_id, volume_id):
        self.send_event('volume-reimaged', server_id, volume_id)

    def _ruled_reimage(self, context, volume_id, *args, **kwargs):
        try:
            self._start_reimage(context, volume_id, *args, **kwargs)
        finally:
            # Cinder ends it some time later, whether someone looks or not,
            # and whether or not its answer arrived.
            if 'reimage' in self._rules._volumes.get(volume_id, ()):
                threading.Timer(REIMAGE_SECONDS, self._rules.finish_reimage,
                                [volume_id]).start()

    def _reimage(self, context, volume_id, image_id, reimage_reserved=False):
        if self._refusals:
            raise cinder_exceptions.ClientException(
                self._refusals.pop(), 'refused')
        self._plain[volume_id]['volume_image_metadata'] = {
            'image_id': image_id}
        for row in self.attachments(volume_id):
            threading.Timer(REIMAGE_SECONDS, self._on_reimaged,
                            [row['instance_uuid'], volume_id]).start()

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
            dict(row, volume_id=of_volume,
                 attach_status='attached' if row['id'] in self._completed
                 else 'reserved')
            for of_volume, rows in list(self.volume_to_attachment.items())
            for row in list(rows.values())
            if volume_id in (None, of_volume) and
            server_id in (None, row['instance_uuid'])]

    def add_attachment(self, volume_id, server_id):
        """Reserve a volume for a server behind Nova's back.

        :returns: the UUID of the attachment
        :raises nova.exception.InvalidInput: the volume's status forbids it
        """
        self.show(volume_id)
        return volume_api.API().attachment_create(
            nova_context.get_admin_context(), volume_id, server_id)['id']

    def complete_attachment(self, attachment_id):
        """Call an attachment attached."""
        volume_api.API().attachment_complete(
            nova_context.get_admin_context(), attachment_id)

    def remove_attachment(self, attachment_id):
        """Delete an attachment behind Nova's back."""
        volume_api.API().attachment_delete(
            nova_context.get_admin_context(), attachment_id)

    def fail_next(self, call, code):
        """Make the next call of a kind fail.

        :param call: the name of a method of nova.volume.cinder.API
        :param code: the HTTP status of the failure
        :raises ValueError: the fixture of this base cannot, or not this call
        """
        if not self._rules:
            if call != 'reimage_volume':
                raise ValueError('a base as released has no such failure')
            self._refusals.append(code)
            return
        # Only there where the fixture has the rules.
        from nova.tests.fixtures import cinder_status

        self._rules.fail(call, cinder_status.http_error(code))

    def heal(self):
        """Forget the failures that have not come yet."""
        self._refusals = []
        if self._rules:
            self._rules.heal()
