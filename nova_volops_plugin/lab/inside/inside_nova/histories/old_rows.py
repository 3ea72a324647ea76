# SPDX-License-Identifier: Apache-2.0

"""BDMs as left by an older Nova or by a crash of unpatched Nova."""

import json

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects

# Before Cinder's attachments Nova kept no more of a connection.
_KEPT = ('driver_volume_type', 'data', 'serial')


def age(server):
    """Rewrite the block devices of a server on volumes.

    What a device is must not depend on what is left out: the mode of a
    volume that is not read-only, and what newer releases add to what Cinder
    tells of a connection.
    """
    for query in _of(server):
        for row in query:
            _age(row)


def add_bare(server, volume):
    """Add a device without attachment and connection.

    The conductor gave up a host that reserved the name after its time.
    """
    context = nova_context.get_admin_context()
    cell = objects.InstanceMapping.get_by_instance_uuid(
        context, server).cell_mapping
    with nova_context.target_cell(context, cell) as cell_context:
        objects.BlockDeviceMapping(
            cell_context, instance_uuid=server, volume_id=volume,
            source_type='volume', destination_type='volume',
            device_name='/dev/vdz', boot_index=None,
            delete_on_termination=False, tag=None).create()


def forget_connection(server, volume):
    """Empty the saved connection of a device."""
    for query in _of(server):
        query.filter_by(volume_id=volume).update({'connection_info': None})


def _of(server):
    """Yield a query of the devices of a server on volumes for each cell."""
    context = nova_context.get_admin_context()
    for cell in objects.CellMappingList.get_all(context):
        with nova_context.target_cell(context, cell) as cell_context:
            with main_db.get_context_manager(
                    cell_context).writer.using(cell_context):
                yield cell_context.session.query(
                    models.BlockDeviceMapping).filter_by(
                        instance_uuid=server, deleted=0,
                        destination_type='volume')


def _age(row):
    if row.attach_mode != 'ro':
        row.attach_mode = None
    info = json.loads(row.connection_info or 'null')
    if info:
        info = {key: value for key, value in info.items() if key in _KEPT}
        if row.attach_mode is None:
            info.get('data', {}).pop('access_mode', None)
        row.connection_info = json.dumps(info)
