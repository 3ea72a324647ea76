# SPDX-License-Identifier: Apache-2.0

"""Nova's databases, filled with servers."""

import itertools

import nova.conf
from nova import context as nova_context
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova.db.main import api as main_db
from nova.db.main import models
from nova.db import migration
from nova import objects

from inside_nova.cleanup_scale import cloud

CONF = nova.conf.CONF
_ROWS = 2000


def fill(number):
    """Make the tables, if they are missing, and the rows of the servers."""
    context = nova_context.get_admin_context()
    for name in ('api', 'main'):
        migration.db_sync(database=name)
    if not list(objects.CellMappingList.get_all(context)):
        objects.CellMapping(
            context, uuid=cloud.server(0), name='cell1',
            database_connection=CONF.database.connection,
            transport_url='fake:/').create()
    cell, = (each for each in objects.CellMappingList.get_all(context)
             if each.name == 'cell1')
    api = api_db.get_engine()
    main = main_db.get_context_manager(context).writer.get_engine()
    with main.begin() as connection:
        for table in (models.BlockDeviceMapping, models.Instance):
            connection.execute(table.__table__.delete())
    mappings = api_models.InstanceMapping.__table__
    with api.begin() as connection:
        connection.execute(mappings.delete())
    for page in pages(number):
        add_servers(main, page)
        with api.begin() as connection:
            connection.execute(mappings.insert(), [
                {'instance_uuid': cloud.server(each), 'cell_id': cell.id,
                 'project_id': 'project', 'user_id': 'user'}
                for each in page])


def pages(number):
    """Yield the numbers of all servers, lists of some at once."""
    numbers = cloud.order(number)
    while page := list(itertools.islice(numbers, _ROWS)):
        yield page


def add_servers(engine, numbers, **fields):
    """Make the rows of servers and of their block devices in a cell.

    :param fields: columns of the block devices that differ
    """
    with engine.begin() as connection:
        connection.execute(models.Instance.__table__.insert(), [
            _instance(each) for each in numbers])
        connection.execute(models.BlockDeviceMapping.__table__.insert(), [
            dict(_device(each, which), **fields) for each in numbers
            for which in range(cloud.VOLUMES)])


def _instance(number):
    return {
        'uuid': cloud.server(number), 'display_name': 'server-%d' % number,
        'vm_state': 'active', 'host': 'compute%d' % (number % 50),
        'node': 'compute%d' % (number % 50), 'user_id': 'user',
        'project_id': 'project%d' % (number % 20), 'launch_index': 0,
        'memory_mb': 512, 'vcpus': 1, 'root_gb': 1, 'ephemeral_gb': 0,
        'reservation_id': 'r-%x' % number, 'deleted': 0, 'cleaned': 0,
        'instance_type_id': 1, 'power_state': 1, 'hidden': False,
    }


def _device(number, which):
    return {
        'uuid': cloud.attachment(number, which),
        'instance_uuid': cloud.server(number), 'source_type': 'volume',
        'destination_type': 'volume', 'device_type': 'disk',
        'device_name': '/dev/vd%s' % 'abc'[which], 'boot_index': which - 1,
        'volume_id': cloud.volume(number, which), 'deleted': 0,
        'attachment_id': cloud.attachment(number, which),
        'delete_on_termination': False, 'connection_info': '{}',
    }
