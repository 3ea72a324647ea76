# SPDX-License-Identifier: Apache-2.0

"""Checks at the end of a history."""

import collections

from inside_nova.fault_matrix import invariants
from inside_nova.histories import operations
from inside_nova.histories import promises

# What a service that stops, or the loss of a message, may leave: see
# nova_volops_plugin.faults.explained.
AFTER_A_STOP = {'stuck', 'volume', 'orphan', 'allocation', 'guest', 'mark',
                'unconnected', 'device', 'quota'}
# What Nova may leave where Cinder did not do as it was told.
AFTER_A_FAULT = {'volume', 'orphan', 'unconnected'}
# What is fixed afterwards.
BY_HAND = {'volume', 'orphan', 'unconnected', 'device'}
MENDED = {'orphan', 'device'}
# What nova-api may have stopped in for no server to stay as it was then. As
# released, one that stops after it has saved a task state leaves that.
OF_PERIODIC_TASKS = {'attach', 'attach-ro', 'attach-tagged', 'detach', 'swap',
                     'swap-without-copy', 'retype'}


class Judge:
    """Lets everything work again, and looks for what is wrong.

    :param history: the :class:`history.History` that has ended
    """

    def __init__(self, history):
        self._history = history
        self._nova = history.nova

    def judge(self):
        """Look at everything and tell what is wrong."""
        history, nova = self._history, self._nova
        made = len(history.record.steps)
        nova.rules.heal()
        nova.lag(False)
        nova.released.bring_forward(nova.computes)
        if history.past.restarts or history.past.waited:
            history.step(('restart', 0, 0), nova.restart)
        if nova.messages.waiting:
            history.step(('deliver', 0, 0), nova.messages.deliver)
        self._settle()
        nova.run_periodic_tasks()
        # A thread that builds a server in error has begun by now.
        self._settle()
        operations.end_migrations(nova.rules)
        history.model.observe(history.rows.devices())
        self._require_contents()
        self._require_deleted()
        self._require(invariants.broken(history.look(), history), '')
        for kind, text in promises.images_differ(history):
            history.record.tell(kind, text)
        operations.clean_up(history, None, None)
        for kind, text in [*history.others.broken(),
                           *promises.locked(history)]:
            history.record.tell(kind, text)
        # What is left now nobody would ever find.
        wrong = [what for what in invariants.broken(history.look(), history)
                 if self._is_fixed(*what)]
        if not (history.past.stopped or history.past.tells_all or
                self._is_left_alone()):
            self._require(wrong, 'after the clean-up, ', hard=True)
        self._require_contents()
        self._delete_all()
        # What is done here is done whenever the steps are made again.
        del history.record.steps[made:]

    def _settle(self):
        if self._history.past.stopped:
            self._history.settle()
        else:
            # A server may wait for a volume that another one has reserved.
            self._nova.wait('the servers to be idle', self._history.is_idle)

    def _require_contents(self):
        history = self._history
        for volume, text in history.model.lost(self._nova.contents.of):
            history.record.tell('lost write', '%s is not on %s' % (
                text.partition(' ')[2], history.roles.get(volume)))

    def _require_deleted(self):
        history = self._history
        for server in sorted(history.deleted & set(history.alive())):
            if not (history.past.stopped or history.past.failed):
                history.record.tell(
                    'undeleted', '%s was said to be deleted' %
                    history.roles.get(server))

    def _require(self, wrong, when, hard=False):
        excused = set(self._history.past.excused)
        if not hard:
            if self._history.past.stopped:
                excused |= AFTER_A_STOP
            if self._is_for_periodic_tasks():
                excused.discard('stuck')
            if self._history.past.failed:
                excused |= AFTER_A_FAULT
            if self._in_error() and (
                    self._history.past.failed or self._history.past.waited):
                # A server that could not be built keeps its devices.
                excused.add('device')
            if self._history.past.by_hand:
                excused |= BY_HAND
            if self._history.past.outlived:
                excused.add('orphan')
        for kind, text in wrong:
            if kind not in excused and not self._waited_in_vain(text):
                self._history.record.tell(kind, when + text)

    def _is_for_periodic_tasks(self):
        """Whether no service was started that could have fixed a server."""
        past = self._history.past
        return not past.restarts and past.api_stopped and (
            past.api_stopped <= OF_PERIODIC_TASKS)

    def _waited_in_vain(self, text):
        """Whether a server is in error as a message came after a restart.

        As released, a host that is started forgets that a server is to be
        moved, or to be rebuilt on a disk of its own.
        """
        history = self._history
        role, _is, state = text.partition(' is error, ')
        past = history.past
        if not state or not past.waited or past.tells_all:
            return False
        return past.late_move or state == 'rebuilding' and (
            history.servers.get(role) not in history.rows.on_volumes())

    def _is_fixed(self, kind, text):
        """Whether nova-manage is to repair what is wrong."""
        # It tells of what somebody has connected by hand, or reserved of a
        # volume that another server has, and leaves it alone.
        role, _has, what = text.partition(' has an attachment (reserved)')
        return kind in MENDED and not (
            self._is_of_another(role) if what else
            self._history.past.by_hand)

    def _is_of_another(self, role):
        """Whether a server has a volume that is reserved for others."""
        volume = self._history.volumes.get(role)
        servers = collections.defaultdict(set)
        if volume and not self._nova.rules.volume(volume)['multiattach']:
            for row in self._nova.rules.attachments(volume):
                servers[row['attach_status']].add(row['instance_uuid'])
        return bool(servers['attached'] - servers['reserved'])

    def _in_error(self):
        return bool(self._history.rows.in_error())

    def _is_left_alone(self):
        """Whether what a server has waits for its owner to do something."""
        return self._in_error() or any(
            self._history.rows.state_of(server).vm_state in (
                'resized', 'soft-delete')
            for server in self._history.alive())

    def _servers(self):
        return [server['id'] for server in self._nova.call(
            'GET', '/servers?all_tenants=1').body['servers']]

    def _delete_all(self):
        history = self._history
        for server in self._servers():
            answer = self._nova.call('DELETE', '/servers/' + server)
            if answer.code not in (204, 404):
                history.record.tell('undeletable', '%s: %s %s' % (
                    history.roles.get(server), answer.code, answer.body))
        self._nova.wait('the servers to be gone',
                        lambda: not self._servers(), 1)
        history.tampering.remove_strays()
        history.others.give_back()
        excused = set(history.past.excused)
        if history.past.stopped or history.past.failed:
            excused.add('volume')
        if history.past.stopped:
            # A reboot would have given the server an attachment of which a
            # service that stopped did not save the id. As released, a move
            # that one left keeps its allocations, and a server of which the
            # request to build was lost stays.
            excused |= {'orphan', 'allocation', 'stuck'}
        for kind, text in invariants.broken(history.look(), history):
            if kind not in excused:
                history.record.tell('left-' + kind, text)
