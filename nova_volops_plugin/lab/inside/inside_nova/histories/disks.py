# SPDX-License-Identifier: Apache-2.0

"""Invariants of guests' disks that hold at any time."""

import collections

from inside_nova.fault_matrix import cloud

Disk = collections.namedtuple('Disk', 'host server volume')


def broken(history):
    """Yield what is wrong with the disks of guests: kind and text.

    :param history: a :class:`history.History`
    """
    for check in (_writable, free, _of_deleted, _on_released_hosts):
        yield from check(history)


def of_guests(history):
    """Yield the disks on volumes of guests that run, each a Disk."""
    for host, guest in _guests(history):
        for volume in cloud.MatrixNova.disks(guest):
            yield Disk(host, guest.UUIDString(), volume)


def has_guest(history, server):
    """Whether a guest of a server runs."""
    return any(guest.UUIDString() == server
               for _host, guest in _guests(history))


def writable(history):
    """Return pairs of server and volume that a guest can write to."""
    return sorted({
        (guest.UUIDString(), volume) for _host, guest in _guests(history)
        for volume in history.nova.contents.writable(guest)})


def read_only(history, host):
    """Return pairs of server and volume that a host has read-only, a set."""
    on_host = {server for server, state in history.rows.states().items()
               if state.host == host}
    return {(device.server, device.volume)
            for device in history.rows.devices()
            if device.server in on_host and
            history.model.read_only(device.server, {device.volume})}


def _guests(history):
    for host, compute in history.nova.computes.items():
        connection = compute.driver._host.get_connection()
        for guest in list(connection._vms.values()):
            if guest.isActive():
                yield host, guest


def _writable(history):
    for server, volume in writable(history):
        if history.model.read_only(server, {volume}):
            yield 'read-only', '%s can write to %s' % (
                history.roles.get(server), history.roles.get(volume))


def free(history):
    """Cinder must not take what a guest uses for free."""
    alive = history.rows.states() if history.past.local_deletion else None
    for disk in of_guests(history):
        if alive is not None and disk.server not in alive:
            # As released, a guest on a host that is down outlives its server.
            continue
        # A host that was down may still have the guest that was evacuated.
        if disk.host == history.rows.host_of(disk.server) and not (
                (disk.server, disk.volume) in history.nova.removed or
                history.nova.rules.attachments(disk.volume, disk.server)):
            yield 'free', '%s uses %s, of which Cinder knows nothing' % (
                history.roles.get(disk.server),
                history.roles.get(disk.volume))


def _of_deleted(history):
    """Nobody can stop the guest of a server that is deleted."""
    past = history.past
    if past.stopped or past.outlived or past.local_deletion or past.late_move:
        return
    alive = history.rows.states()
    for _host, guest in _guests(history):
        if guest.UUIDString() not in alive:
            yield 'deleted guest', '%s is deleted and runs' % (
                history.roles.get(guest.UUIDString()))


def _on_released_hosts(history):
    for host, had in history.nova.released.had.items():
        for disk in of_guests(history):
            if disk.host == host and disk[1:] not in had and (
                    history.model.read_only(disk.server, {disk.volume})):
                yield 'released host', '%s has %s read-only on %s' % (
                    history.roles.get(disk.server),
                    history.roles.get(disk.volume), host)
