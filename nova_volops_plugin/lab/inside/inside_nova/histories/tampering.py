# SPDX-License-Identifier: Apache-2.0

"""Changes attachments in Cinder behind Nova's back."""


class Tampering:
    """What was changed by hand in a history.

    :param history: a :class:`history.History`
    """

    def __init__(self, history):
        self._history = history
        self._rules = history.nova.rules
        self._strays = []

    def remove(self, server, volume):
        """Delete an attachment."""
        # Nobody can fix a server whose root volume is gone.
        roots = {device.volume for device in self._history.rows.devices()
                 if device.boot_index == 0}
        rows = [row for row in self._rules.attachments(volume, server)
                if row['volume_id'] not in roots]
        if rows:
            self._history.past.note_change(server)
            if self._rules.volume(volume)['migration_status'] == 'migrating':
                # Cinder keeps its status meanwhile, and nobody resets it.
                self._history.past.excuse('volume')
            self._rules.remove_attachment(rows[0]['id'])

    def replace(self, server, volume):
        """Have Cinder know an attachment by another id than Nova does.

        It is one of that volume, or of a server that does not have it.
        """
        for row in (self._rules.attachments(volume, server) or
                    self._rules.attachments(None, server)[:1]):
            if row['attach_status'] == 'attached':
                self._history.past.note_change(row['instance_uuid'])
                self._strays.append(self._rules.add_attachment(
                    row['volume_id'], row['instance_uuid'], 'attached',
                    row['connector']))
                self._rules.remove_attachment(row['id'])
                # The guest uses the other one.
                self._history.nova.removed.discard(
                    (row['instance_uuid'], row['volume_id']))

    def add(self, server, volume):
        """Reserve a volume for a server."""
        self._history.past.note_change(server)
        self._strays.append(self._rules.add_attachment(
            volume, server, 'reserved'))

    def remove_strays(self):
        """Take back what was attached."""
        for row in self._rules.attachments():
            if row['id'] in self._strays:
                self._rules.remove_attachment(row['id'])
