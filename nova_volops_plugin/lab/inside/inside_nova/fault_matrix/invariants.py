# SPDX-License-Identifier: Apache-2.0

"""The invariants that must hold after every case.

Each check yields pairs: the kind of what is wrong, and a sentence.
"""

IN_TRANSIT = ('attaching', 'detaching', 'downloading', 'uploading',
              'creating', 'deleting')
NO_HOST = ('shelved_offloaded', 'deleted')


def broken(snapshot, case):
    """Return what is wrong with a cloud in which nothing goes on.

    :param snapshot: a :class:`snapshot.Snapshot`
    :param case: the :class:`case.Case` that it is the end of
    :returns: a sorted list of pairs of str, kind and sentence
    """
    found = []
    for check in (_attachments, _devices, _volumes, _servers, _allocations,
                  _guests, _quota):
        found.extend(check(snapshot, case.roles))
    for role, volume in case.volumes.items():
        if volume not in snapshot.volumes:
            found.append(('lost-volume', '%s is gone' % role))
    return sorted(set(found))


def orphans(snapshot, case):
    """Return only what is wrong with attachments, as :func:`broken`."""
    return list(_attachments(snapshot, case.roles))


def _alive(snapshot, server):
    state = snapshot.servers.get(server)
    return state if state and not state.deleted else None


def _attachments(snapshot, roles):
    owned = {(device.attachment, device.volume, device.server)
             for device in snapshot.devices}
    for row in snapshot.attachments:
        if not _alive(snapshot, row.server):
            yield 'orphan', '%s has an attachment (%s) of no server' % (
                roles.get(row.volume), row.status)
        elif (row.id, row.volume, row.server) not in owned:
            yield 'orphan', '%s has an attachment (%s) without device' % (
                roles.get(row.volume), row.status)


def _devices(snapshot, roles):
    rows = {row.id: row for row in snapshot.attachments}
    for device in snapshot.devices:
        name = '%s of %s' % (
            roles.get(device.volume, device.volume),
            roles.get(device.server, device.server))
        state = _alive(snapshot, device.server)
        if not state:
            yield 'device', '%s: the server is deleted' % name
            continue
        row = rows.get(device.attachment)
        if device.no_device:
            yield 'mark', '%s: the device is marked no_device' % name
        if not row or (row.volume, row.server) != (
                device.volume, device.server):
            yield 'device', '%s: the device has no attachment' % name
            continue
        on_host = state.host and state.vm_state not in ('error',) + NO_HOST
        if on_host and (row.status != 'attached' or row.host != state.host):
            yield 'unconnected', '%s: its attachment is %s on %s' % (
                name, row.status, row.host)


def _volumes(snapshot, roles):
    for volume, status in snapshot.volumes.items():
        servers = [_alive(snapshot, row.server) for row in snapshot.attachments
                   if row.volume == volume]
        count = len(servers)
        name = roles.get(volume, volume)
        if status == 'attaching' and any(
                state and state.vm_state == 'error' for state in servers):
            # It belongs to a server that the user has to fix anyway.
            continue
        if status in IN_TRANSIT or 'error' in status:
            yield 'volume', '%s is %s' % (name, status)
        elif bool(count) == (status == 'available'):
            yield 'volume', '%s is %s with %d attachments' % (
                name, status, count)


def _servers(snapshot, roles):
    for server, state in snapshot.servers.items():
        if state.task_state or state.vm_state == 'building':
            yield 'stuck', '%s is %s, %s' % (
                roles.get(server), state.vm_state, state.task_state)
    for server in snapshot.building:
        yield 'stuck', '%s has a build request' % roles.get(server, server)


def _allocations(snapshot, roles):
    moving = False
    for server, state in snapshot.servers.items():
        expected = []
        if not state.deleted and state.host and (
                state.vm_state not in NO_HOST):
            expected = [state.host]
        # An error in the middle of a move leaves both hosts' for the move
        # to be fixed.
        moving = moving or state.vm_state in ('resized', 'error')
        found = snapshot.allocations.get(server, [])
        if found != expected and state.vm_state != 'error':
            yield 'allocation', '%s on %s has allocations on %s' % (
                roles.get(server), state.host, found)
    for consumer, hosts in snapshot.allocations.items():
        if consumer not in snapshot.servers and not moving:
            yield 'allocation', 'a migration has allocations on %s' % hosts


def _guests(snapshot, roles):
    for server, state in snapshot.servers.items():
        guests = snapshot.guests.get(server, {})
        name = roles.get(server)
        for host in guests:
            if host != state.host and state.vm_state in (
                    'active', 'shelved_offloaded'):
                yield 'guest', '%s has a guest on %s' % (name, host)
        if state.vm_state != 'active':
            continue
        if state.host not in guests:
            yield 'guest', '%s has no guest on %s' % (name, state.host)
            continue
        devices = sorted(device.volume for device in snapshot.devices
                         if device.server == server and not device.no_device)
        if guests[state.host] != devices:
            yield 'guest', '%s has disks %s, and devices %s' % (
                name, [roles.get(disk) for disk in guests[state.host]],
                [roles.get(device) for device in devices])


def _quota(snapshot, roles):
    count = sum(not state.deleted and state.vm_state != 'soft-delete'
                for state in snapshot.servers.values())
    if count != snapshot.used:
        yield 'quota', '%d servers, %d counted' % (count, snapshot.used)
