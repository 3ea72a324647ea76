# SPDX-License-Identifier: Apache-2.0

"""Attachments that are changed in Cinder behind Nova's back."""


class Tampering:
    """Mixed into a :class:`history.History`."""

    def remove_by_hand(self, server, volume):
        """Delete an attachment in Cinder behind Nova's back."""
        # Nobody can mend a server whose root volume is gone.
        roots = {device.volume for device in self.devices()
                 if device.boot_index == 0}
        rows = [row for row in self.nova.rules.attachments(
            volume, server) if row['volume_id'] not in roots]
        if rows:
            self._note_change(server)
            self.nova.rules.remove_attachment(rows[0]['id'])

    def replace_by_hand(self, server, volume):
        """Have Cinder know an attachment by another id than Nova does.

        It is one of that volume, or of a server that does not have it.
        """
        rules = self.nova.rules
        for row in (rules.attachments(volume, server) or
                    rules.attachments(None, server)[:1]):
            if row['attach_status'] == 'attached':
                self._note_change(row['instance_uuid'])
                self.strays.append(rules.add_attachment(
                    row['volume_id'], row['instance_uuid'], 'attached',
                    row['connector']))
                rules.remove_attachment(row['id'])
                # The guest uses the other one.
                self.nova.removed.discard(
                    (row['instance_uuid'], row['volume_id']))

    def add_by_hand(self, server, volume):
        """Reserve a volume for a server behind Nova's back."""
        self._note_change(server)
        self.strays.append(self.nova.rules.add_attachment(
            volume, server, 'reserved'))

    def _note_change(self, server):
        self.by_hand, self.calm = True, False
        self.changed.add(server)

    def remove_strays(self):
        """Take back what was attached by hand."""
        for row in self.nova.rules.attachments():
            if row['id'] in self.strays:
                self.nova.rules.remove_attachment(row['id'])
