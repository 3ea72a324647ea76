# SPDX-License-Identifier: Apache-2.0

"""Checks that what Nova reports as done was done."""

import json

from nova import context as nova_context
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova.db.main import models

from inside_nova.embedded_nova import images

_ACTIONS = {
    'attach': 'attach_volume', 'attach-ro': 'attach_volume',
    'attach-tagged': 'attach_volume', 'detach': 'detach_volume',
    'rebuild': 'rebuild', 'swap': 'swap_volume'}
# What may undo it before anybody looks.
_HARMLESS_RIVALS = ('reset-state', 'delete-and-restore', 'take', 'write')


def broken(history, injected):
    """Yield which action of a step says Success for what was not done.

    :param history: a :class:`history.History`
    :param injected: each :class:`injections.Injection` that hit something
    """
    wanted = _ACTIONS.get(history.record.word)
    rivals = [each.trouble.rival.kind for each in injected
              if each.trouble.rival]
    if wanted is None or not set(rivals) <= set(_HARMLESS_RIVALS):
        return
    for method, path, body, code in history.record.steps[-1]['requests']:
        parts = path.split('/')
        if code >= 300 or len(parts) < 4 or parts[3] not in (
                'os-volume_attachments', 'action'):
            continue
        if parts[3] == 'action' and 'rebuild' not in body:
            continue
        server = parts[2]
        state = history.rows.state_of(server)
        if state is None or state.task_state or not _succeeded(
                history, server, wanted):
            continue
        text = _undone(history, server, parts[4:], body, state)
        if text:
            yield 'hollow success', '%s of %s says Success, and %s' % (
                wanted, history.roles.get(server), text)


def actions(history):
    """Return the ids of the requests that have an action, a set."""
    return {row.request_id for query in history.rows.queries()
            for row in query(models.InstanceAction.request_id)}


def _succeeded(history, server, wanted):
    action, event = models.InstanceAction, models.InstanceActionEvent
    for query in history.rows.queries():
        # What waits, or reached no host, has no action yet.
        newest = query(action).filter_by(
            instance_uuid=server, action=wanted).filter(
                action.request_id.notin_(history.before.actions)).order_by(
                    action.id.desc()).first()
        if newest is None:
            continue
        results = [row.result for row in query(event).filter_by(
            action_id=newest.id)]
        return bool(results) and newest.message is None and set(
            results) == {'Success'}
    return False


def _undone(history, server, volumes, body, state):
    word = history.record.word
    devices = {device.volume: device for device in history.rows.devices()
               if device.server == server}
    if word == 'detach':
        return volumes[0] in devices and 'it still has the volume'
    if word == 'rebuild':
        roots = [device.volume for device in devices.values()
                 if device.boot_index == 0]
        return bool(roots) and state.vm_state != 'error' and (
            _image(history, roots[0]) != images.OTHER_IMAGE) and (
                'its root has the old image')
    new = body['volumeAttachment']['volumeId']
    return new not in devices and 'it does not have the volume'


def _image(history, volume):
    found = history.nova.rules._volumes.get(volume, {}).get(
        'volume_image_metadata')
    return (found or {}).get('image_id')


def images_differ(history):
    """Yield servers whose image is another one than that on their root.

    A move gets the image of the request spec, a start the properties that are
    saved with the instance.
    """
    roots = {device.server: device.volume for device in history.rows.devices()
             if device.boot_index == 0}
    states = history.rows.states()
    for server, volume in sorted(roots.items()):
        state = states.get(server)
        if state is None or state.task_state or state.vm_state in (
                'error', 'building'):
            continue
        on_volume = _image(history, volume)
        for what, image in (('properties', _saved(history, server)),
                            ('request spec', _asked(server))):
            if image and on_volume and image != on_volume:
                yield 'image', '%s has the %s of another image than its ' \
                    'root' % (history.roles.get(server), what)


def _saved(history, server):
    row = models.InstanceSystemMetadata
    for query in history.rows.queries():
        found = query(row.value).filter_by(
            instance_uuid=server, key='image_base_image_ref',
            deleted=0).first()
        if found:
            return found.value
    return None


def _asked(server):
    context = nova_context.get_admin_context()
    with api_db.context_manager.reader.using(context):
        row = context.session.query(api_models.RequestSpec.spec).filter_by(
            instance_uuid=server).first()
    image = row and json.loads(row.spec)['nova_object.data'].get('image')
    return image and image['nova_object.data'].get('id')


def locked(history):
    """Yield servers that are locked, which nobody here asks for."""
    for query in history.rows.queries():
        for row in query(models.Instance.uuid).filter_by(
                deleted=0, locked=True):
            yield 'locked', '%s is locked' % history.roles.get(row.uuid)
