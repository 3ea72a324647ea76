# SPDX-License-Identifier: Apache-2.0

"""Checks after each step of a history."""

from inside_nova.fault_matrix import calls
from inside_nova.histories import applicable
from inside_nova.histories import disks
from inside_nova.histories import other_services
from inside_nova.histories import ownership
from inside_nova.histories import promises
from inside_nova.histories import trouble

# The most calls to Cinder that one request may make with four volumes.
MOST_CALLS = 150
# What may leave no server without a volume that it has.
_KEEPS_DEVICES = ('reboot', 'reboot-hard', 'stop', 'start', 'clean-up',
                  'restart', 'rebuild', 'deliver', 'migrate', 'resize',
                  'confirm', 'revert', 'live-migrate', 'evacuate', 'shelve',
                  'offload', 'unshelve')
_NOT_SHELVED = ('active', 'stopped', 'resized', 'error')
# What breaks no server, whatever was changed by hand or waited before.
_HARMLESS = ('rebuild', 'restart')
# What has a request go on for a server that is not as it was.
_OVERTAKING = ('reset-state', 'delete-and-restore', 'once-more')
# Those of the series, which look again before each step.
_STILL_MINE = ('rebuild', 'swap', 'swap-without-copy', 'clean-up',
               'reboot-hard')
_NO_ANSWER = ('500', '503', 'timeout')


class Before:
    """What there was before a step.

    :param history: a :class:`history.History`
    """

    def __init__(self, history):
        self.calls = len(history.nova.rules.calls)
        self.devices = {device.id: device for device in history.rows.devices()}
        self.states = history.rows.states()
        self.actions = promises.actions(history)
        self.delivers = bool(history.nova.messages.waiting)
        history.nova.overwritten.clear()
        history.nova.told.clear()
        history.nova.host_faults.refused.clear()


def look_on(history, injected):
    """Tell what does not hold after a step.

    :param history: a :class:`history.History`
    :param injected: each :class:`injections.Injection` that hit something
    """
    history.model.observe(history.rows.devices())
    troubles = [injection.trouble for injection in injected]
    for answer in history.answers:
        # What Cinder cannot answer, Nova as released cannot either.
        if answer.code == 500 and not _may_be_500(
                history, troubles, answer):
            history.record.tell('500', answer.body)
    if not history.past.tells_all:
        _excuse_deletion(history)
        _excuse_moves(history)
    made = len(history.nova.rules.calls) - history.before.calls
    if made > MOST_CALLS:
        history.record.tell('calls', '%d calls to Cinder' % made)
    used = {device.volume for device in history.rows.devices()}
    for old, new in history.nova.contents.torn:
        if new in used:
            history.record.tell(
                'torn copy', '%s was written to while it was copied to %s' %
                (history.roles.get(old), history.roles.get(new)))
    for kind, text in [*disks.broken(history), *sorted(history.seen),
                       *ownership.broken(history, troubles),
                       *promises.broken(history, injected)]:
        history.record.tell(kind, text)
    history.seen = set()
    for server, was, now in history.nova.overwritten:
        history.record.tell('overwritten', '%s was %s and became %s' % (
            history.roles.get(server), was, now))
    _require_devices(history)
    if history.record.word in ('reboot-hard', 'clean-up'):
        _require_evidence(history, troubles)
    _require_health(history, troubles)


def _excuse_deletion(history):
    """Take down what a deletion leaves as released.

    The host lets go of the volumes that the server had when the request came,
    not of those that a move, an offload or a live swap gives it meanwhile.
    nova-manage finds these.
    """
    if history.record.word == 'rebuild' or not _of_rival(history, 'delete'):
        return
    if history.record.word == 'evacuate':
        # The host is down, or was before the server left it.
        history.past.note_local_deletion()
    there = history.rows.states()
    if any(state.vm_state in _NOT_SHELVED
           for server, state in history.before.states.items()
           if server not in there):
        history.past.excuse('volume', 'allocation')
        history.past.outlived = True


def _excuse_moves(history):
    """Take down what a move leaves as released.

    It does not wait for the message to attach a volume, nor for itself where
    its host is started meanwhile, nor does an offload for a reset-state.
    """
    waits = history.before.delivers or history.nova.messages.waiting
    if waits and _moves(history):
        history.past.late_move = True
        history.past.excuse('orphan', 'volume')
    if history.record.word not in _STILL_MINE and any(
            _of_rival(history, rival) for rival in _OVERTAKING):
        history.past.late_move = True
        history.past.excuse('allocation', 'guest', 'unconnected')


def _moves(history):
    return any(history.record.word == move or _of_rival(history, move)
               for move in applicable.GROUPS['moves'])


def _may_be_500(history, troubles, answer):
    if history.record.word == 'restart-without-cinder':
        # A rival cannot ask it either.
        return True
    if history.record.word.startswith('attach') and _of_rival(
            history, 'clean-up'):
        # All is older here than dangling_attachment_age, by which the
        # clean-up leaves alone what is being attached.
        return True
    if (history.record.word == 'rebuild' and _of_rival(history, 'once-more')
            and 'UnexpectedTaskStateError' in str(answer.body)
            and not history.past.tells_all):
        # As released, the API does not expect another rebuild meanwhile.
        return True
    for each in troubles:
        if each.kind == 'call' and each.fault in trouble.REFUSALS:
            # Cinder refuses no list so. As released, an attach to an offloaded
            # server answers so if Cinder does not create or complete it.
            hit = history.calls.hit
            if not hit.startswith('attachment_') or hit.startswith(
                    'attachment_get_all') or (
                        (hit.startswith('attachment_complete') or
                         hit.startswith('attachment_create') and
                         each.fault == '409') and
                        not history.past.tells_all):
                return True
        # The API may wait for a service that has stopped.
        elif each.kind in ('call', 'write', *other_services.SERVICES):
            return True
    return False


def _require_devices(history):
    """No server may lose a volume that nobody has taken from it."""
    if history.record.word not in _KEEPS_DEVICES or history.before.delivers:
        return
    there = {device.id for device in history.rows.devices()}
    alive = history.rows.states()
    for device in history.before.devices.values():
        # Without an attachment, or marked, it is what a stop has left of an
        # attach. A server that was never built has none in Cinder any more.
        if device.id in there or device.server not in alive or (
                alive[device.server][:2] == (None, 'error')) or (
                device.attachment is None or device.no_device) or (
                device.server, device.volume) in history.nova.removed:
            continue
        # A deletion that is broken off has taken them.
        if not _of_rival(history, 'detach') and not any(
                method == 'DELETE' and code >= 500 for method, _path, _body,
                code in history.record.steps[-1]['requests']):
            history.record.tell('lost device', '%s is without %s' % (
                history.roles.get(device.server),
                history.roles.get(device.volume)))


def _of_rival(history, word):
    return any(each.get('rival', [''])[0] == word
               for each in history.record.steps[-1].get('troubles', ()))


def _require_evidence(history, troubles):
    """What could not be asked must not change what Nova has."""
    if not any(each.kind == 'call' and each.fault in _NO_ANSWER
               for each in troubles):
        return
    method, _part, volume = history.calls.hit.partition('#')[
        0].rstrip(')').partition('(')
    if method not in calls.READING:
        return
    there = {device.id: device for device in history.rows.devices()}
    for device in history.before.devices.values():
        now = there.get(device.id)
        if history.roles.get(device.volume) == volume and now and (
                now.attachment != device.attachment):
            history.record.tell(
                'unproved', '%s got another attachment of %s, though %s '
                'failed' % (history.roles.get(device.server), volume, method))


def _require_health(history, troubles):
    """No server may break where nothing went wrong that explains it."""
    word = history.record.word
    explained = {each.kind for each in troubles} - {'late', 'rival'}
    if word != 'create':
        explained.discard('hold')
    else:
        # There is another host.
        explained.discard('spawn')
        if history.before.delivers or history.nova.released.had or (
                history.nova.rules.status(history.volumes['shared']) ==
                'reserved'):
            # An offloaded server has it: the new one waits for it in vain.
            return
    if explained or word == 'set-error' or history.past.stopped or (
            history.past.failed):
        return
    if history.past.by_hand and word not in _HARMLESS:
        return
    if history.past.late_move or _of_rival(history, 'set-error') or (
            # As released, no move waits for an attach to end.
            word.startswith('attach') and _moves(history)):
        return
    on_volume = {device.server for device in history.before.devices.values()
                 if device.boot_index == 0}
    had = {server for server, state in history.before.states.items()
           # As released, one that a stopped host was to build, and one on a
           # disk of its own that it was to rebuild, or whose attachments were
           # changed.
           if state.vm_state in ('error', 'building') or (
               server not in on_volume and (
                   history.past.by_hand or state.task_state == 'rebuilding'))}
    for server in sorted(history.rows.in_error() - had):
        history.record.tell(
            'error', '%s is in error' % history.roles.get(server))
