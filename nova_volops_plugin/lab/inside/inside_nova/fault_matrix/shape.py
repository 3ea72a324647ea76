# SPDX-License-Identifier: Apache-2.0

"""The result of a flow, independent of UUIDs."""

from inside_nova.fault_matrix.invariants import NO_HOST

# A server on no host may have its volumes reserved or attached to no host;
# which of them depends on when it got them, and makes no difference.
KEPT = 'kept'
RESERVED = ('reserved', 'in-use')


def of(snapshot, case):
    """Describe a snapshot by the parts its members play.

    :param snapshot: a :class:`snapshot.Snapshot`
    :param case: the :class:`case.Case` that knows the parts
    :returns: a dict that equals that of another run which ended alike
    """
    roles = case.roles
    kept = {device.volume for device in snapshot.devices
            if device.server in snapshot.servers and
            snapshot.servers[device.server].vm_state in NO_HOST}
    rows = {row.id: row for row in snapshot.attachments}
    servers = {}
    for server, state in snapshot.servers.items():
        first = case.first_hosts.get(server)

        def place(host):
            return host and ('first' if host == first else 'other')

        servers[roles.get(server, 'unknown')] = {
            'state': (state.vm_state, state.task_state, state.power_state,
                      state.deleted),
            'host': place(state.host),
            'devices': sorted(
                _device(device, rows.get(device.attachment), roles, place,
                        state.vm_state in NO_HOST)
                for device in snapshot.devices if device.server == server),
            'guest': sorted(
                (place(host), sorted(roles.get(disk, disk) for disk in disks))
                for host, disks in snapshot.guests.get(server, {}).items()),
            'allocations': [
                place(host) for host in snapshot.allocations.get(server, ())],
        }
    return {
        'servers': servers,
        'volumes': {
            roles.get(volume, 'unknown'):
                KEPT if volume in kept and status in RESERVED else status
            for volume, status in snapshot.volumes.items()},
        'images': {roles.get(volume, 'unknown'): image
                   for volume, image in snapshot.images.items()},
        'attachments': sorted(
            (roles.get(row.volume, ''), roles.get(row.server, ''))
            for row in snapshot.attachments),
        'migrations': sum(consumer not in snapshot.servers
                          for consumer in snapshot.allocations),
        'used': snapshot.used,
    }


def _device(device, row, roles, place, kept):
    status = row.status if row else 'none'
    if kept and row:
        status = KEPT
    return (roles.get(device.volume, str(device.volume)), device.boot_index,
            str(device.attach_mode), device.no_device, status,
            str(row and not kept and place(row.host)))
