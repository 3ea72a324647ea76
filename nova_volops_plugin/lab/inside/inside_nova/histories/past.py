# SPDX-License-Identifier: Apache-2.0

"""Earlier faults of a history, which may explain a finding."""

from inside_nova.fault_matrix import calls
from inside_nova.histories import other_cinder
from inside_nova.histories import other_services
from inside_nova.histories import ownership


class Past:
    """Takes down what a trouble explains.

    :ivar calm: whether nothing went wrong
    :ivar stopped: whether a service stopped, lost a message or could not
        reach what is not Cinder
    :ivar reimage_hangs: whether a re-image may not end
    :ivar restarts: whether computes are to be started for that
    :ivar api_stopped: what the API was asked for when it stopped, a set
    :ivar failed: whether Cinder failed
    :ivar by_hand: whether Cinder's attachments were changed behind Nova's
        back
    :ivar changed: the UUIDs of the servers of which they were
    :ivar waited: whether a message waited
    :ivar late_move: whether a move met one that waited, or a request that
        overtook it
    :ivar local_deletion: whether a server was deleted while its host was down
    :ivar outlived: whether another request outlived its server
    :ivar excused: kinds of what may be wrong as somebody asked for it
    :cvar tells_all: whether what the release leaves is told, too
    """

    tells_all = False

    def __init__(self):
        self.calm = True
        self.stopped = self.failed = self.by_hand = self.waited = False
        self.outlived = self.late_move = self.local_deletion = False
        self.restarts = self.reimage_hangs = False
        self.api_stopped = set()
        self.changed = set()
        self.excused = set()

    def excuse(self, *kinds):
        """Tell nothing of these kinds from now on: the release leaves it."""
        if not self.tells_all:
            self.excused.update(kinds)

    def note_change(self, server):
        """Take down that an attachment of a server was changed by hand."""
        self.by_hand, self.calm = True, False
        self.changed.add(server)

    def note_api_stop(self, word):
        """Take down that nova-api stopped, and no compute."""
        self.api_stopped.add(word)

    def note_local_deletion(self):
        """Take down that a server was deleted while its host was down.

        As released, the host stays connected to its volumes.
        """
        self.calm = False
        self.local_deletion = not self.tells_all

    def note(self, history, trouble):
        """Take down what a trouble explains; return if a service stopped.

        :param history: the :class:`history.History` that has had it
        :param trouble: a :class:`trouble.Trouble`
        """
        word = history.record.word
        self.calm = False
        if (trouble.kind in ('write', 'copy', 'lose') or
                trouble.fault in calls.CRASHES):
            # A host that is started again puts right what it was copying.
            self.stopped |= trouble.kind != 'copy'
            return True
        if trouble.kind in other_services.SERVICES:
            # As released, Nova leaves what it cannot undo then.
            self.stopped = self.restarts = True
        elif trouble.kind == 'hold':
            self.waited = True
        elif trouble.kind == 'other-cinder':
            self.failed |= word not in other_cinder.HARMLESS
        elif trouble.kind == 'host':
            self.failed = True
            self._forget_connections(history)
        elif trouble.kind == 'silent':
            # As released, what is asked of a host that does not answer is
            # given up half way.
            self.stopped = self.restarts = True
        elif trouble.kind == 'spawn':
            self.failed |= word != 'create'
        elif trouble.kind == 'call':
            self.failed = True
            self._forget_connections(history)
            # Cinder has the attachment no more of which it says so.
            self.by_hand |= trouble.fault == '404'
            self._note_incomplete_swap(history)
            self.reimage_hangs |= history.calls.hit.startswith('reimage_')
            if word == 'detach' and history.calls.hit.startswith(
                    'attachment_delete'):
                # As released, the device stays, for another detach.
                self.excuse('guest')
        return False

    def _forget_connections(self, history):
        """Take down what a host could not disconnect.

        As released, an offload goes on, and nobody tries again.
        """
        if (history.record.word not in ownership.OF_THE_SERIES and
                not self.tells_all):
            host_faults = history.nova.host_faults
            host_faults.connected -= host_faults.refused

    def _note_incomplete_swap(self, history):
        """Take down what a swap leaves of which Cinder does not hear.

        As released, a live one has deleted the old attachment by then, and
        the device stays on the old volume.
        """
        name, _bracket, volume = history.calls.hit.partition(')')[
            0].partition('(')
        if name == 'migrate_volume_completion' and not self.tells_all:
            self.excuse('device', 'guest')
            history.nova.removed |= {
                (device.server, device.volume)
                for device in history.rows.devices()
                if history.roles.get(device.volume) == volume}
