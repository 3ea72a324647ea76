# SPDX-License-Identifier: Apache-2.0

"""Selects the requests that the state of a history allows."""

MOST_SERVERS = 3
# Requests that a server in one of these states takes.
_STOPPABLE = ('active', 'stopped')
_VOLUMES = ('active', 'stopped', 'shelved', 'shelved_offloaded')
STATES = {
    'attach': _VOLUMES,
    'attach-ro': _VOLUMES,
    'attach-tagged': ('active', 'stopped'),
    'detach': _VOLUMES,
    'swap': ('active', 'shelved'),
    'swap-without-copy': ('shelved_offloaded',),
    'swap-onto-target': ('shelved', 'shelved_offloaded'),
    'retype': ('active', 'shelved'),
    'shelve': _STOPPABLE,
    'offload': ('shelved',),
    'unshelve': ('shelved', 'shelved_offloaded'),
    'reboot': ('active',),
    'reboot-hard': _STOPPABLE,
    'stop': ('active',),
    'start': ('stopped',),
    'set-error': ('active', 'stopped'),
    'resize': _STOPPABLE,
    'migrate': _STOPPABLE,
    'confirm': ('resized',),
    'revert': ('resized',),
    'live-migrate': ('active',),
    'rebuild': ('active', 'stopped', 'error'),
    'evacuate': ('active', 'stopped', 'error'),
    'soft-delete': _VOLUMES,
    'restore': ('soft-delete',),
    'force-delete': ('soft-delete', *_VOLUMES),
    'delete-and-restore': _VOLUMES,
    'delete-while-down': _STOPPABLE,
    'delete-at-restart': _STOPPABLE,
}
# What may be left out of a history.
GROUPS = {
    'by hand': ('remove-attachment', 'add-attachment', 'replace-attachment',
                'steal', 'bare-row', 'unsaved-connection', 'reset-volume'),
    'deletions': ('soft-delete', 'restore', 'force-delete',
                  'delete-and-restore', 'delete-while-down',
                  'delete-at-restart'),
    'others': ('take',),
    'lag': ('lag',),
    'moves': ('resize', 'confirm', 'revert', 'migrate', 'live-migrate',
              'evacuate'),
    'power': ('reboot', 'stop', 'start', 'reset-state', 'set-error'),
    'releases': ('take-back', 'old-rows'),
}
# What is not asked for a server that was never built.
_ON_A_HOST = ('rebuild', 'evacuate', 'reset-state', 'delete-while-down',
              'delete-at-restart')
_LAST_ONES = ('delete', 'force-delete', 'delete-while-down',
              'delete-at-restart')
# What is done whatever the servers are in.
_OF_NO_SERVER = ('write', 'lag', 'restart', 'take-back', 'take', 'age',
                 'restart-without-cinder', 'reset-volume')
# What needs a volume that the server does not have, and one that it has.
_WANT = ('attach', 'attach-ro', 'attach-tagged', 'swap', 'swap-without-copy',
         'add-attachment', 'bare-row')
_HAVE = ('detach', 'swap', 'swap-without-copy', 'swap-onto-target', 'retype',
         'remove-attachment', 'old-rows', 'steal', 'unsaved-connection')


def of_groups(names):
    """Return the operations of some of GROUPS, a set."""
    return {kind for name in names for kind in GROUPS[name]}


class Present:
    """The state of a history between two steps, read once.

    :param history: a :class:`history.History`
    """

    def __init__(self, history):
        self._history = history
        states = history.rows.states()
        self._states = {server: states[server] for server in history.alive()
                        if server in states}
        self._held = set()
        self._roots = set()
        for device in history.rows.devices():
            held = device.server, device.volume
            (self._roots if device.boot_index == 0 else self._held).add(held)

    def takes(self, operation):
        """Whether an operation is likely to do something."""
        kind = operation.kind
        if kind == 'create':
            return len(self._history.servers) < MOST_SERVERS
        if kind == 'deliver':
            return bool(self._history.nova.messages.waiting)
        if not self._states or kind in _LAST_ONES and (
                len(self._states) == 1):
            return False
        if kind == 'once-more':
            # It is done in the middle of something only.
            return False
        if kind in _OF_NO_SERVER:
            return True
        servers = list(self._states)
        server = servers[operation.server % len(servers)]
        state = self._states[server]
        if kind in _ON_A_HOST and state.host is None:
            return False
        if kind == 'reset-state':
            return state.vm_state == 'error' or bool(state.task_state)
        if state.task_state:
            return kind == 'delete'
        return (state.vm_state in STATES.get(kind, (state.vm_state,)) and
                self._has_volumes(kind, server, operation.volume))

    def situation(self, operation):
        """Return what matters of the state an operation finds, a list."""
        history, nova = self._history, self._history.nova
        servers = list(self._states)
        if not servers:
            return ['no server']
        server = servers[operation.server % len(servers)]
        found = [self._states[server].vm_state]
        mine = {volume for holder, volume in self._held if holder == server}
        others = {volume for holder, volume in self._held if holder != server}
        for what, is_so in (
                ('on a volume', any(holder == server
                                    for holder, _volume in self._roots)),
                ('read-only', history.model.read_only(server, mine)),
                ('shared', mine & others),
                ('changed', server in history.past.changed),
                ('lags', nova.lags),
                ('waits', nova.messages.waiting),
                ('released', nova.released.had)):
            if is_so:
                found.append(what)
        return found

    def _has_volumes(self, kind, server, number):
        if kind in _HAVE and not any(
                holder == server for holder, _volume in self._held):
            return False
        if kind not in _WANT:
            return True
        rules = self._history.nova.rules
        volume = self._history.volume_of(number)
        if (server, volume) in self._held:
            return False
        view = rules.volume(volume)
        return view['status'] == 'available' or (
            view['multiattach'] and view['status'] == 'in-use')
