# SPDX-License-Identifier: Apache-2.0

"""Block devices as an older Nova wrote them."""

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
    context = nova_context.get_admin_context()
    for cell in objects.CellMappingList.get_all(context):
        with nova_context.target_cell(context, cell) as cell_context:
            with main_db.get_context_manager(
                    cell_context).writer.using(cell_context):
                for row in cell_context.session.query(
                        models.BlockDeviceMapping).filter_by(
                            instance_uuid=server, deleted=0,
                            destination_type='volume'):
                    _age(row)


def _age(row):
    if row.attach_mode != 'ro':
        row.attach_mode = None
    info = json.loads(row.connection_info or 'null')
    if info:
        info = {key: value for key, value in info.items() if key in _KEPT}
        if row.attach_mode is None:
            info.get('data', {}).pop('access_mode', None)
        row.connection_info = json.dumps(info)
