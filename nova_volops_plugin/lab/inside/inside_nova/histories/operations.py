# SPDX-License-Identifier: Apache-2.0

"""The requests of users, operators and Cinder to Nova."""

import collections
import contextlib
import io

from oslo_log import log as logging

from inside_nova.embedded_nova import images
from inside_nova.histories import applicable
from inside_nova.histories import deletions
from inside_nova.histories import disks
from inside_nova.histories import old_rows as rows

LOG = logging.getLogger(__name__)

Operation = collections.namedtuple('Operation', 'kind server volume')
Operation.__doc__ = """One request.

:ivar kind: one of KINDS
:ivar server: the number of a server
:ivar volume: the number of a volume
"""

KINDS = {}


def _kind(method):
    KINDS[method.__name__.strip('_').replace('_', '-')] = method
    return method


def do(history, operation):
    """Ask for an operation; nothing where there is no such server.

    :param history: a :class:`history.History`
    :param operation: an :class:`Operation`
    :returns: the :class:`fault_matrix.cloud.Answer`, or None
    """
    server = history.server(operation.server)
    if server is None and operation.kind != 'create':
        return None
    return KINDS[operation.kind](
        history, server, history.volume_of(operation.volume))


def _attachments(server, volume=''):
    return '/servers/%s/os-volume_attachments%s' % (
        server, volume and '/' + volume)


@_kind
def attach(history, server, volume, **fields):
    mode = fields.get('attach_mode', 'rw')
    answer = history.ask('POST', _attachments(server), {
        'volumeAttachment': dict(fields, volumeId=volume)})
    if answer.code < 300:
        history.model.attached(server, volume, mode)
    return answer


@_kind
def attach_ro(history, server, volume):
    return attach(history, server, volume, attach_mode='ro')


@_kind
def attach_tagged(history, server, volume):
    return attach(history, server, volume, tag='tag')


@_kind
def detach(history, server, volume):
    held = history.rows.volume_held_by(server) or volume
    return history.ask('DELETE', _attachments(server, held))


def _swap(history, server, volume, copy_data):
    old = history.rows.volume_held_by(server)
    if old is None or old == volume:
        return None
    if history.nova.rules.volume(old)['migration_status'] == 'migrating':
        # As released, the guest then has a volume that Nova does not know.
        return None
    answer = history.ask('PUT', _attachments(server, old), {
        'volumeAttachment': {'volumeId': volume, 'copy_data': copy_data}})
    if _perhaps_accepted(answer):
        if copy_data:
            history.model.overwritten(volume)
        else:
            history.model.left_behind(server, old)
    return answer


def _perhaps_accepted(answer):
    return not 400 <= answer.code < 500


@_kind
def swap(history, server, volume):
    return _swap(history, server, volume, True)


@_kind
def swap_without_copy(history, server, volume):
    return _swap(history, server, volume, False)


@_kind
def swap_onto_target(history, server, volume):
    """The new volume is the target of another one's migration."""
    old = history.rows.volume_held_by(server)
    # As released, a guest that runs is given whatever volume it is.
    if old is None or history.rows.state_of(server).vm_state not in (
            'shelved', 'shelved_offloaded'):
        return None
    rules = history.nova.rules
    migrating = rules.add_volume(size=2, migration_status='migrating')
    target = rules.add_volume(
        size=rules.volume(old)['size'],
        migration_status='target:' + migrating)
    answer = history.ask('PUT', _attachments(server, old), {
        'volumeAttachment': {'volumeId': target, 'copy_data': True}})
    if answer.code < 400:
        history.record.tell(
            'target', '%s was swapped onto what Cinder copies another volume '
            'to' % history.roles.get(old))
        return answer
    for each in (migrating, target):
        del rules._volumes[each]
    return answer


@_kind
def retype(history, server, volume):
    """Cinder migrates a volume that the server has."""
    old = history.rows.volume_held_by(server)
    if old is None:
        return None
    rules = history.nova.rules
    if rules.status(old) != 'in-use' or rules.volume(old)[
            'migration_status'] not in (None, 'success', 'error'):
        return None
    new = rules.add_volume(size=rules.volume(old)['size'],
                           multiattach=rules.volume(old)['multiattach'],
                           migration_status='target:' + old)
    rules._volumes[old].update(migration_status='migrating',
                               previous_status='in-use')
    answer = history.ask('PUT', _attachments(server, old), {
        'volumeAttachment': {'volumeId': new, 'copy_data': True}})
    if answer.code >= 400:
        # Cinder gives it up.
        end_migrations(rules)
    return answer


def end_migrations(rules):
    """Cinder's operator gives up the migrations that nobody ends."""
    for target, volume in list(rules._volumes.items()):
        kind, _colon, old = (volume['migration_status'] or '').partition(':')
        if kind == 'target':
            # The attachments of a volume go with it.
            del rules._volumes[target]
            rules.base.volume_to_attachment.pop(target, None)
            rules._volumes[old]['migration_status'] = 'error'
            if not rules.attachments(old):
                # While it migrates, Cinder keeps its status.
                rules._volumes[old]['status'] = 'available'


def _action(name, body=None):
    def act(history, server, volume):
        return history.act(server, name, body)
    return act


KINDS.update({
    'shelve': _action('shelve'),
    'offload': _action('shelveOffload'),
    'unshelve': _action('unshelve'),
    'reboot': _action('reboot', {'type': 'SOFT'}),
    'reboot-hard': _action('reboot', {'type': 'HARD'}),
    'stop': _action('os-stop'),
    'start': _action('os-start'),
    'resize': _action('resize', {'flavorRef': '2'}),
    'confirm': _action('confirmResize'),
    'revert': _action('revertResize'),
    'migrate': _action('migrate'),
    'live-migrate': _action('os-migrateLive', {
        'host': None, 'block_migration': 'auto'}),
})


@_kind
def reset_state(history, server, volume):
    state = history.rows.state_of(server)
    if state is None or state.host is None or state.vm_state == 'building':
        # As released, one that is not built becomes active, or it is
        # answered with 500.
        return None
    if state.vm_state == 'resized':
        # As released, Nova then forgets what the old host holds.
        history.past.excuse('allocation', 'guest')
    if state.vm_state == 'error' and not disks.has_guest(history, server):
        # As released, it is active then, and has none.
        history.past.excuse('guest')
    return history.act(server, 'os-resetState', {'state': 'active'})


@_kind
def set_error(history, server, volume):
    return history.act(server, 'os-resetState', {'state': 'error'})


@_kind
def rebuild(history, server, volume):
    if history.rows.host_of(server) is None:
        # As released, it is answered with 500.
        return None
    answer = history.act(server, 'rebuild', {'imageRef': images.OTHER_IMAGE})
    if _perhaps_accepted(answer):
        history.model.rebuilt(server)
    return answer


@_kind
def evacuate(history, server, volume):
    host = history.rows.host_of(server)
    if host is None:
        return None
    with history.undisturbed():
        history.nova.set_down(host, True)
    try:
        return history.act(server, 'evacuate', {})
    finally:
        with history.undisturbed():
            history.nova.crashes.forget()
            # It is up again when it has cleaned up.
            history.nova.recover(host)
            history.nova.set_down(host, False)


@_kind
def delete(history, server, volume):
    answer = history.ask('DELETE', '/servers/' + server)
    if answer.code == 204:
        history.deleted.add(server)
    return answer


@_kind
def create(history, server, volume):
    """One or two more servers, as the number says."""
    if len(history.servers) < applicable.MOST_SERVERS:
        number = history.volume_number(volume)
        return history.create(
            on_volume=number < 2, volume=3, mode=('rw', 'ro')[number % 2],
            count=(1, 2, 2, 1)[number])


@_kind
def clean_up(history, server, volume):
    """nova-manage repairs what Nova and Cinder disagree on."""
    from nova.cmd import volume_attachment_cleanup

    with contextlib.redirect_stdout(io.StringIO()):
        try:
            volume_attachment_cleanup.main(all_servers=True, apply=True)
        except (Exception, KeyboardInterrupt):
            if not history.injecting:
                raise
            LOG.exception('nova-manage failed')


KINDS.update(deletions.KINDS)


@_kind
def take(history, server, volume):
    """Somebody else takes a volume that is free, whichever it is."""
    first = history.volume_number(volume)
    any(history.others.take(history.volume_of(first + number))
        for number in range(4))


# What is done in the middle of a request may be the same once more.
ONCE_MORE = ('rebuild', 'swap', 'swap-without-copy', 'detach', 'attach',
             'shelve', 'clean-up')


@_kind
def once_more(history, server, volume):
    """An operator resets the state, and the same is asked for again."""
    word = history.record.word
    if word not in ONCE_MORE:
        return None
    if word != 'clean-up':
        reset_state(history, server, volume)
    return KINDS[word](history, server, volume)


# Those that others need come more often.
NAMES = tuple(KINDS) + 9 * ('rebuild',) + 6 * ('shelve', 'swap') + 3 * (
    'attach', 'reboot-hard', 'clean-up') + 2 * (
    'attach-ro', 'attach-tagged', 'unshelve', 'detach', 'retype', 'create')


@_kind
def write(history, server, volume):
    """Each guest writes to each of its disks."""
    history.write()


@_kind
def lag(history, server, volume):
    """Cinder's lists lag behind, or do no more."""
    history.nova.lag(not history.nova.lags)


@_kind
def deliver(history, server, volume):
    """The messages that wait are delivered."""
    history.nova.messages.deliver()


@_kind
def restart(history, server, volume):
    """All computes are stopped when they are idle, and started."""
    with history.undisturbed():
        history.nova.restart()


@_kind
def take_back(history, server, volume):
    """A host is taken back to the release, or no host is any more."""
    released, computes = history.nova.released, history.nova.computes
    with history.undisturbed():
        if released.had:
            released.bring_forward(computes)
            return
        host = sorted(computes)[history.volume_number(volume) % len(computes)]
        released.take_back(computes[host], disks.read_only(history, host))


@_kind
def remove_attachment(history, server, volume):
    history.tampering.remove(
        server, history.rows.volume_held_by(server) or volume)


@_kind
def add_attachment(history, server, volume):
    history.tampering.add(server, volume)


@_kind
def replace_attachment(history, server, volume):
    history.tampering.replace(server, volume)


@_kind
def old_rows(history, server, volume):
    """The server has its volumes since an older release."""
    with history.undisturbed():
        rows.age(server)


@_kind
def steal(history, server, volume):
    """An operator resets a volume of a server, and somebody else takes it."""
    held = history.rows.volume_held_by(server)
    if held:
        history.tampering.remove(server, held)
        history.others.take(held)


@_kind
def bare_row(history, server, volume):
    """A host has reserved a name for a volume, and nothing followed."""
    if not any(device.server == server and device.volume == volume
               for device in history.rows.devices()):
        history.past.note_change(server)
        with history.undisturbed():
            rows.add_bare(server, volume)


@_kind
def unsaved_connection(history, server, volume):
    """A host stopped before it saved to what it had connected a server."""
    held = history.rows.volume_held_by(server)
    if held:
        history.past.note_change(server)
        with history.undisturbed():
            rows.forget_connection(server, held)


@_kind
def reset_volume(history, server, volume):
    """An operator sets the status of a volume that is on its way."""
    rules = history.nova.rules
    if rules.status(volume) in ('available', 'in-use'):
        return
    history.past.note_change(server)
    rules.set_status(volume, 'in-use' if any(
        row['attach_status'] == 'attached'
        for row in rules.attachments(volume)) else 'available')


@_kind
def restart_without_cinder(history, server, volume):
    """All computes are started while Cinder does not answer."""
    with history.undisturbed():
        history.nova.restart_without_cinder()


@_kind
def age(history, server, volume):
    """Time goes by: the periodic tasks of the computes run."""
    with history.undisturbed():
        history.nova.run_periodic_tasks()


BY_HAND = 4 * ('replace-attachment',) + 3 * (
    'write', 'remove-attachment') + 2 * (
    'deliver', 'restart', 'add-attachment', 'lag') + (
    'take-back', 'old-rows', 'steal', 'bare-row', 'unsaved-connection',
    'reset-volume', 'restart-without-cinder', 'age')
# What no API is asked for.
UNANSWERED = {*BY_HAND, 'clean-up', 'take'}
