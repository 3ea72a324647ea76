# SPDX-License-Identifier: Apache-2.0

"""Runs Nova's database operations on its own and the other's schema."""

from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db import migration
from nova import objects
from nova.objects import service as service_object
from oslo_utils import uuidutils

from inside_nova.cleanup_scale import cloud
from inside_nova.cleanup_scale import database

# What a host stores of a connected volume has about this length.
CONNECTION = '{"driver_volume_type": "rbd", "data": {"%s": 1}}' % ('x' * 400)


def sync():
    """Migrate to the newest schema of this tree; return its revision."""
    migration.db_sync(database='main')
    return migration.db_version()


def fill(rows):
    """Make servers with so many block devices."""
    engine = main_db.get_engine()
    for page in database.pages(-(-rows // cloud.VOLUMES)):
        database.add_servers(engine, page, connection_info=CONNECTION)


def rows():
    """Create, change, find and delete block devices; return their number.

    The series adds one that is read-only.
    """
    context = nova_context.get_admin_context()
    instance = _server(context)
    device = _device(context, instance)
    device.device_name = '/dev/vdz'
    device.save()
    found = objects.BlockDeviceMappingList.get_by_instance_uuid(
        context, instance)
    names = [other.device_name for other in found
             if other.volume_id == device.volume_id]
    assert names == ['/dev/vdz'], names
    device.destroy()
    if 'attach_mode' in objects.BlockDeviceMapping.fields:
        _device(context, instance, attach_mode='ro')
        return len(found)
    left = objects.BlockDeviceMappingList.get_by_instance_uuid(
        context, instance)
    assert len(left) == len(found) - 1
    return len(left)


def _device(context, instance, **fields):
    device = objects.BlockDeviceMapping(
        context, instance_uuid=instance, source_type='volume',
        destination_type='volume', volume_id=uuidutils.generate_uuid(),
        boot_index=-1, **fields)
    device.create()
    return device


def _server(context):
    """Return the UUID of the first server that has block devices."""
    with main_db.get_context_manager(context).reader.using(context):
        return context.session.query(
            main_db.models.BlockDeviceMapping.instance_uuid).filter_by(
                deleted=0).order_by('id').first()[0]


def service():
    """Start and stamp a service as each start does; return its version."""
    context = nova_context.get_admin_context()
    found = objects.Service.get_by_host_and_binary(
        context, 'host1', 'nova-compute')
    if found is None:
        found = objects.Service(
            context, host='host1', binary='nova-compute', topic='compute',
            report_count=0)
        found.create()
        return found.version
    found.version = service_object.SERVICE_VERSION
    found.save()
    return found.version


def archive():
    """Delete a server, archive its rows; return those of its devices."""
    context = nova_context.get_admin_context()
    instance = _server(context)
    objects.Instance.get_by_uuid(context, instance).destroy()
    archived, _deleted, _total = main_db.archive_deleted_rows(
        context=context, max_rows=1000)
    return archived['block_device_mapping']
