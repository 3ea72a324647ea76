# SPDX-License-Identifier: Apache-2.0

"""Reads instances and BDMs from Nova's databases."""

import collections

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models

from inside_nova.histories import model

State = collections.namedtuple('State', 'host vm_state task_state')


class Rows:
    """Reads the databases each time, without deleted rows.

    :param cells: the cells' mappings
    """

    def __init__(self, cells):
        self._cells = cells

    def queries(self, writing=False):
        """Yield what to query each cell with.

        Nova's tests do not let two threads be in ``target_cell`` for different
        cells, and who waits for this one may be in it.
        """
        for cell in self._cells:
            context = nova_context.get_admin_context()
            nova_context.set_target_cell(context, cell)
            manager = main_db.get_context_manager(context)
            with (manager.writer if writing else manager.reader).using(
                    context):
                yield context.session.query

    def states(self):
        """Return (host, vm_state, task_state) by server."""
        found = {}
        for query in self.queries():
            for row in query(
                    models.Instance.uuid, models.Instance.host,
                    models.Instance.vm_state, models.Instance.task_state
                    ).filter_by(deleted=0):
                found[row.uuid] = State(*row[1:])
        return found

    def state_of(self, server):
        """Return (host, vm_state, task_state), None for a deleted server."""
        return self.states().get(server)

    def host_of(self, server):
        """Return the host of a server, or None."""
        state = self.state_of(server)
        return state and state.host

    def in_error(self):
        """Return the UUIDs of the servers that are in error, a set."""
        return {server for server, state in self.states().items()
                if state.vm_state == 'error'}

    def devices(self):
        """Yield each block device on a volume, a :class:`model.Device`."""
        device = models.BlockDeviceMapping
        for query in self.queries():
            for row in query(
                    device.id, device.instance_uuid, device.volume_id,
                    device.boot_index, device.attachment_id,
                    device.no_device).filter(
                        device.deleted == 0,
                        device.destination_type == 'volume'):
                yield model.Device(*row)

    def volume_held_by(self, server):
        """Return a volume of a server, rather not its root, or None."""
        held = [device for device in self.devices()
                if device.server == server]
        held.sort(key=lambda device: (device.boot_index == 0, device.id))
        return held[0].volume if held else None

    def on_volumes(self):
        """Return the UUIDs of the servers with a root volume, a set."""
        return {device.server for device in self.devices()
                if device.boot_index == 0}
