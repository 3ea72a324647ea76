# SPDX-License-Identifier: Apache-2.0

"""Runs histories on unpatched Nova.

The cloud needs modules of the series: Nova's fixture of Cinder, and what
tests make faster. They are taken from a tree that has the series.
"""

import importlib
from importlib import machinery
import pathlib
import sys
import types

_MODULES = ('nova.tests.fixtures', 'nova.conf.compute',
            'nova.volume.reservation', 'nova.virt.libvirt.volume_copy')
_FIELDS = ('attach_mode', 'copy_data')
# Before any of so many calls to Cinder a rival may be handled.
_CALLS = 10


class _OfTheSeries:
    """Finds modules in another tree.

    :param tree: its path
    """

    def __init__(self, tree):
        self._tree = pathlib.Path(tree)

    def find_spec(self, name, path=None, target=None):
        if name not in _MODULES:
            return None
        folder = self._tree.joinpath(*name.split('.')[:-1])
        return machinery.PathFinder.find_spec(name, [str(folder)])


def take_modules(tree):
    """Import what the cloud needs from a tree with the series.

    It is to be called before Nova is imported.

    :param tree: its path
    """
    sys.meta_path.insert(0, _OfTheSeries(tree))
    clean_up = 'nova.cmd.volume_attachment_cleanup'
    sys.modules[clean_up] = types.ModuleType(clean_up)
    sys.modules[clean_up].main = _clean_nothing_up


def _clean_nothing_up(**_kwargs):
    """Ask Cinder, in the middle of which something else may be done."""
    from nova import context
    from nova.volume import cinder

    for _number in range(_CALLS):
        cinder.API().get_all(context.get_admin_context())


def ask_as_released():
    """Have histories ask for what the release has."""
    from inside_nova.histories import history
    from inside_nova.histories import model
    from inside_nova.histories import past
    from nova.db.main import models
    from nova.volume import cinder
    import sqlalchemy
    from sqlalchemy import orm

    importlib.import_module('nova.cmd').volume_attachment_cleanup = (
        sys.modules['nova.cmd.volume_attachment_cleanup'])
    models.BlockDeviceMapping.attach_mode = orm.column_property(
        sqlalchemy.literal('rw'))
    cinder.API.lists_services = lambda api, context: True
    ask, attached = history.History.ask, model.Model.attached

    def ask_without(one, method, path, body=None):
        server = (body or {}).get('server', {})
        devices = server.get('block_device_mapping_v2', [])
        for device in [(body or {}).get('volumeAttachment', {}), *devices]:
            for name in _FIELDS:
                device.pop(name, None)
        if devices:
            # As released, several servers cannot have one volume.
            server.pop('min_count', None)
            for _number in range(server.pop('max_count', 1) - 1):
                ask(one, method, path, body)
        return ask(one, method, path, body)

    def attached_writable(self, server, volume, mode):
        return attached(self, server, volume, 'rw')

    past.Past.tells_all = True
    history.History.ask = ask_without
    model.Model.attached = attached_writable
