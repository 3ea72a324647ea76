# SPDX-License-Identifier: Apache-2.0

"""Deletions of servers other than a plain DELETE.

Each is a callable of a :class:`history.History`, a server and a volume.
"""

import nova.conf

CONF = nova.conf.CONF
# Longer than any history.
_RECLAIM_SECONDS = 3600


def soft_delete(history, server, volume):
    """Delete a server where deleted ones are kept for a time."""
    CONF.set_override('reclaim_instance_interval', _RECLAIM_SECONDS)
    try:
        return history.ask('DELETE', '/servers/' + server)
    finally:
        CONF.clear_override('reclaim_instance_interval')


def restore(history, server, volume):
    return history.act(server, 'restore')


def force_delete(history, server, volume):
    answer = history.act(server, 'forceDelete')
    if answer.code < 300:
        history.deleted.add(server)
    return answer


def delete_and_restore(history, server, volume):
    """The user deletes a server, and wants it back."""
    answer = soft_delete(history, server, volume)
    return restore(history, server, volume) if answer.code < 300 else answer


def delete_while_down(history, server, volume):
    """Delete a server whose host is down; the host is started afterwards."""
    host = history.rows.host_of(server)
    if host is None:
        return None
    with history.undisturbed():
        history.nova.set_down(host, True)
    try:
        return _delete(history, server)
    finally:
        with history.undisturbed():
            history.nova.crashes.forget()
            history.nova.set_down(host, False)
            history.nova.restart()
            history.past.note_local_deletion()


def delete_at_restart(history, server, volume):
    """The host is started while its message to delete a server waits."""
    if history.rows.host_of(server) is None:
        return None
    with history.nova.messages.dropping('terminate_instance'):
        answer = _delete(history, server)
    with history.undisturbed():
        history.nova.restart()
    return answer


def _delete(history, server):
    answer = history.ask('DELETE', '/servers/' + server)
    if answer.code == 204:
        history.deleted.add(server)
    return answer


KINDS = {
    'soft-delete': soft_delete,
    'restore': restore,
    'force-delete': force_delete,
    'delete-and-restore': delete_and_restore,
    'delete-while-down': delete_while_down,
    'delete-at-restart': delete_at_restart,
}
