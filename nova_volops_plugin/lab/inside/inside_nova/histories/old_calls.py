# SPDX-License-Identifier: Apache-2.0

"""Cinder's os-detach, which predates attachments.

Nova makes it for a device without the id of an attachment.
"""

import types

import fixtures
from nova.tests.fixtures import cinder_status
from nova.volume import cinder


class OldCalls(fixtures.Fixture):
    """Answers os-detach by Cinder's rules, and no other call.

    :param rules: the CinderStatusFixture
    """

    def __init__(self, rules):
        super().__init__()
        self._rules = rules

    def setUp(self):
        super().setUp()
        client = cinder.cinderclient

        def old_client(context, *args, **kwargs):
            return _Client(self._detach, client, context, *args, **kwargs)

        self.useFixture(fixtures.MonkeyPatch(
            'nova.volume.cinder.cinderclient', old_client))

    def _detach(self, volume, attachment=None):
        """Delete an attachment; without an id the only one that there is."""
        rows = [row for row in self._rules.attachments(volume)
                if attachment in (None, row['id'])]
        if len(rows) > 1:
            raise cinder_status.http_error(
                400, 'Detach volume failed: More than one attachment, but no '
                'attachment_id provided.')
        for row in rows:
            self._rules._detach(row['id'])
        if not rows and attachment is None:
            self._rules.set_status(volume, 'available')


class _Client:

    def __init__(self, detach, client, *args, **kwargs):
        self._client = client
        self._args = args, kwargs
        self.volumes = types.SimpleNamespace(
            detach=detach, terminate_connection=lambda *args: None)

    def __getattr__(self, name):
        args, kwargs = self._args
        return getattr(self._client(*args, **kwargs), name)
