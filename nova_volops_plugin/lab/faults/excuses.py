# SPDX-License-Identifier: Apache-2.0

"""Known defects of unpatched Nova, which histories do not report.

Each is shown by a history that is made on the release.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Excuse:
    """Something that the release leaves.

    :param what: a sentence
    :param signature: of what a history shows on the release, a str
    :param steps: those of the history, as in
        :class:`nova_volops_plugin.lab.faults.histories.Found`
    """

    what: str
    signature: str
    steps: list


def _step(kind, volume=0, *troubles):
    return {'step': [kind, 0, volume], 'troubles': list(troubles)}


def _rival(nth, kind):
    return {'kind': 'rival', 'nth': nth, 'rival': [kind, 0, 1]}


def _call(name):
    return {'kind': 'call', 'nth': 1, 'fault': '500', 'name': name}


_HOLD = {'kind': 'hold', 'nth': 1}
_HOST = {'kind': 'host', 'nth': 1, 'fault': 'refused'}
_ON_IMAGE = {'step': ['create', False, None, 'rw', 1]}
_ON_VOLUME = {'step': ['create', True, None, 'rw', 1]}
_ATTACH = _step('attach')

EXCUSES = (
    Excuse(
        'A deletion in the middle of a move, an offload or a live swap leaves '
        'attachments of what the move connects.',
        'orphan, end: volume* has an attachment (attached) of no server',
        [_ON_VOLUME, _ATTACH,
         _step('live-migrate', 0, _rival(3, 'delete'))]),
    Excuse(
        'A deletion in the middle of a move leaves what it has allocated.',
        'allocation, end: a migration has allocations on *',
        [_ON_VOLUME, _step('resize'),
         _step('revert', 0, _rival(1, 'delete'))]),
    Excuse(
        'A host attaches a volume to a server that is to be deleted.',
        'deleted server, attach: server* is to be deleted, and there is '
        'attach_volume',
        [_ON_VOLUME, _ATTACH, _step('attach', 1, _rival(1, 'delete'))]),
    Excuse(
        'A move does not wait for an attach.',
        'orphan, end: volume* has an attachment (attaching) without device',
        [_ON_VOLUME, _step('attach', 0, dict(_HOLD, nth=2)),
         _step('migrate')]),
    Excuse(
        'An offload does not notice that the state was reset.',
        'guest, end: server* has no guest on compute*',
        [_ON_VOLUME, _step('shelve', 0, _rival(1, 'reset-state'))]),
    Excuse(
        'Nova forgets what the old host of a resized server has when its '
        'state is reset.',
        'guest, end: server* has a guest on compute*',
        [_ON_VOLUME, _step('resize'), _step('reset-state')]),
    Excuse(
        'A server that a rebuild has left without a guest is active once its '
        'state is reset.',
        'guest, end: server* has no guest on compute*',
        [_ON_IMAGE, _step('rebuild', 0, {'kind': 'spawn', 'nth': 1}),
         _step('reset-state')]),
    Excuse(
        'A server that is deleted and restored during a move leaves a guest.',
        'deleted guest, delete: server* is deleted and runs',
        [_ON_VOLUME,
         _step('live-migrate', 0, _rival(3, 'delete-and-restore')),
         _step('delete')]),
    Excuse(
        'A host that is started forgets that a server is to be moved.',
        'stuck, end: server* is error, resize_migrating',
        [_ON_VOLUME, _step('migrate', 0, _HOLD)]),
    Excuse(
        'A host that is started forgets that a server is to be rebuilt on a '
        'disk of its own.',
        'stuck, end: server* is error, rebuilding',
        [_ON_IMAGE, _step('rebuild', 0, _HOLD)]),
    Excuse(
        'A device stays when its attachment cannot be deleted.',
        'guest, end: server* has disks *, and devices *',
        [_ON_VOLUME, _ATTACH, _step('detach', 0, _call('attachment_delete'))]),
    Excuse(
        'A live swap of whose end Cinder cannot be told has deleted the '
        'attachment of the old volume by then.',
        'device, end: volume* of server*: the device has no attachment',
        [_ON_VOLUME, _ATTACH,
         _step('retype', 0, _call('migrate_volume_completion'))]),
    Excuse(
        'The guest of a server that is deleted while its host is down runs '
        'on until the host is up.',
        'deleted guest, delete-while-down: server* is deleted and runs',
        [_ON_VOLUME, _ATTACH, _step('delete-while-down')]),
    Excuse(
        'The volumes of such a server are free, and its host is connected.',
        'connected, delete-while-down: root* is free, and a host is connected '
        'for server*',
        [_ON_VOLUME, _ATTACH, _step('delete-while-down')]),
    Excuse(
        'So are those of a server that is deleted when its host cannot '
        'disconnect them.',
        'connected, delete: root* is free, and a host is connected for '
        'server*',
        [_ON_VOLUME, _step('delete', 0, _HOST)]),
    Excuse(
        'So are those that a host cannot disconnect at an offload, once '
        'somebody gives them back.',
        'connected, delete: root* is free, and a host is connected for '
        'server*',
        [_ON_VOLUME, _step('shelve', 0, dict(_HOST, nth=2)),
         _step('delete')]),
    Excuse(
        'So are those of several servers, if Cinder does not tell at an '
        'offload who else on the host has them.',
        'connected, delete: shared is free, and a host is connected for '
        'server*',
        [_ON_VOLUME, _step('attach', 3),
         _step('shelve', 0, dict(_call('get'), fault='409')),
         _step('delete')]),
    *(Excuse(
        'An attach to an offloaded server is answered with 500 if Cinder '
        'refuses to %s the attachment.' % what,
        "500, attach: {'computeFault': {'code': *, 'message': \"Unexpected "
        'API Error. Please contact the administrator\\n<class '
        '\'cinderclient.exceptions.ClientException\'>"}}',
        [_ON_VOLUME, _step('shelve'), _step('attach', 0, dict(
            _call('attachment_' + what), fault='409'))])
      for what in ('create', 'complete')),
    Excuse(
        'A rebuild is answered with 500 if the state is reset and the same is '
        'asked for again before it is accepted.',
        "500, rebuild: {'computeFault': {'code': *, 'message': \"Unexpected "
        'API Error. Please contact the administrator\\n<class '
        '\'nova.exception.UnexpectedTaskStateError\'>"}}',
        [_ON_IMAGE, _ATTACH,
         _step('rebuild', 0, _HOLD, _rival(1, 'once-more'))]),
)
