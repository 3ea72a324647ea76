# SPDX-License-Identifier: Apache-2.0

"""The cloud of the histories: that of the fault matrix, with data."""

import functools
import warnings

import fixtures
import nova.conf
from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from nova import exception
from nova import objects
from nova.tests.fixtures import cinder_status
from nova.virt import libvirt
from sqlalchemy import pool

from inside_nova.fault_matrix import cloud
from inside_nova.histories import contents
from inside_nova.histories import host_faults
from inside_nova.histories import old_calls
from inside_nova.histories import other_services
from inside_nova.histories import released_hosts
from inside_nova.histories import trouble

CONF = nova.conf.CONF
# Two servers of one request that cannot be built leave a third for both.
HOSTS = (*cloud.HOSTS, 'compute3')
_DELETING = ('deleting', 'soft-deleting', 'restoring')
_PERIODIC = ('_run_pending_deletes', '_cleanup_incomplete_migrations',
             '_repair_volume_attachments',
             '_cleanup_running_deleted_instances',
             'update_available_resource')


class HistoryNova(cloud.MatrixNova):
    """Nova with three computes, on volumes whose data is followed.

    :ivar contents: a :class:`contents.Contents`
    :ivar host_faults: a :class:`host_faults.HostFaults`
    :ivar messages: a :class:`trouble.Messages`
    :ivar other_services: an :class:`other_services.OtherServices`
    :ivar released: a :class:`released_hosts.ReleasedHosts`
    :ivar removed: pairs of server and volume of which an attachment was
        removed behind Nova's back, a set
    :ivar silence: a :class:`host_faults.Silence`
    :ivar spawns: a :class:`trouble.Spawns`
    :ivar cells: the cells' mappings
    :ivar history: the :class:`history.History` that is made
    :ivar overwritten: what no longer said that a server is deleted: its
        UUID, its task_state and the one that was written, a list
    :ivar told: UUIDs of servers of which a request was told that, a set
    """

    def setUp(self):
        self.contents = self.useFixture(contents.Contents())
        self._hidden = None
        self.removed = set()
        self.released = self.useFixture(released_hosts.ReleasedHosts())
        for name, method in (('_list_view', _lagging_list(self)),
                             ('_volume_view', _lagging_volume(self)),
                             ('_do_attachment_delete', _deleting(self)),
                             ('_do_reimage_volume', _reimaging(self))):
            self.useFixture(fixtures.MonkeyPatch(
                'nova.tests.fixtures.cinder_status.CinderStatusFixture.' +
                name, method))
        self.useFixture(fixtures.MonkeyPatch(
            'nova.tests.fixtures.cinder_status.CinderStatusFixture.'
            'remove_attachment', _removing(self)))
        # Nova's fixtures open a file for each transaction.
        self.useFixture(fixtures.MonkeyPatch(
            'oslo_db.sqlalchemy.engines.pool.NullPool', _Pool))
        super().setUp()
        # As released, a request that saves a deleted server makes a second
        # row of its instance_extra, which is an error in Nova's tests only.
        warnings.filterwarnings('ignore', 'Multiple rows returned with')
        # The fake libvirt restarts a guest once, and then waits in vain.
        self.flags(wait_soft_reboot_seconds=1, group='libvirt')
        if 'response_validation' in CONF.api:
            # Casts are done when they return, so that an answer may show a
            # fault, for which the release's schemas have no place. With it
            # what was done would be answered with 400.
            self.flags(response_validation='ignore', group='api')
        self.cells = objects.CellMappingList.get_all(
            nova_context.get_admin_context())
        self.contents.follow_guests()
        self.useFixture(old_calls.OldCalls(self.rules))
        self.history = None
        self.messages = self.useFixture(trouble.Messages())
        self.spawns = self.useFixture(trouble.Spawns())
        self.other_services = self.useFixture(other_services.OtherServices())
        self.host_faults = self.useFixture(host_faults.HostFaults())
        self.silence = self.useFixture(host_faults.Silence())
        for name in ('power_on', 'attach_volume'):
            self.useFixture(fixtures.MonkeyPatch(
                'nova.virt.libvirt.LibvirtDriver.' + name,
                _asking(self, getattr(libvirt.LibvirtDriver, name))))
        self.overwritten = []
        self.told = set()
        self.useFixture(fixtures.MonkeyPatch(
            'nova.db.main.api.instance_update_and_get_original',
            _noticing(self, main_db.instance_update_and_get_original)))

    def lag(self, on):
        """Have Cinder's reads not show what is attached from now on."""
        self._hidden = {
            row['id'] for row in self.rules.attachments()} if on else None

    @property
    def lags(self):
        """Whether Cinder's reads lag behind."""
        return self._hidden is not None

    def shown(self, rows):
        """Return those of Cinder's attachments that its reads show."""
        if self._hidden is None:
            return rows
        return [row for row in rows if row['id'] in self._hidden]

    def wait(self, what, is_so, seconds=None):
        before = cloud.SETTLE_SECONDS
        if seconds is not None:
            cloud.SETTLE_SECONDS = seconds
        try:
            return super().wait(what, is_so)
        finally:
            cloud.SETTLE_SECONDS = before

    def set_down(self, host, down):
        """Have a host be known to be down, or not."""
        service, = self.call(
            'GET', '/os-services?binary=nova-compute&host=' + host).body[
                'services']
        self.call('PUT', '/os-services/' + service['id'],
                  {'forced_down': down})

    def restart_without_cinder(self):
        """Start all computes while Cinder does not answer."""
        for name in cinder_status._TRANSLATE:
            self.rules.fail(name, cinder_status.http_error(503), times=None)
        try:
            self.restart()
        finally:
            self.rules.heal()

    def restart(self):
        for host in HOSTS:
            connection = self.computes[host].driver._host.get_connection()
            try:
                self.restart_compute_service(host)
            except (exception.InstanceActionEventNotFound,
                    exception.UnexpectedTaskStateError):
                # As released, a host does not start while it has a server
                # whose reboot the API began and did not write down, nor while
                # a live migration ends.
                self._end_tasks()
                self.start_compute(host, cell_name='cell1',
                                   connection=connection)
            self.connect(host)
        self.repair()

    def _end_tasks(self):
        for query in self.history.rows.queries(writing=True):
            query(models.Instance).filter_by(deleted=0).update(
                {'task_state': None})

    def run_periodic_tasks(self):
        """Run those of the computes that clean up."""
        context = nova_context.get_admin_context()
        for compute in self.computes.values():
            for name in _PERIODIC:
                # The release has not all of them.
                task = getattr(compute.manager, name, None)
                if task:
                    task(context)

    def reset(self):
        """Forget everything, also servers that cannot be deleted."""
        self.messages.waiting.clear()
        self.lag(False)
        self.removed.clear()
        self.released.bring_forward(self.computes)
        context = nova_context.get_admin_context()
        for cell in objects.CellMappingList.get_all(context):
            with nova_context.target_cell(context, cell) as cell_context:
                with main_db.get_context_manager(
                        cell_context).writer.using(cell_context):
                    for table in (models.BlockDeviceMapping, models.Instance):
                        cell_context.session.query(table).filter_by(
                            deleted=0).update({'deleted': table.id})
                    cell_context.session.query(models.Migration).update(
                        {'status': 'completed',
                         'deleted': models.Migration.id})
                    # A run of the periodic task looks at no more than ten of
                    # those that a failed request may have left.
                    cell_context.session.query(models.Instance).update(
                        {'deleted_at': None})
                    cell_context.session.query(models.Service).update(
                        {'forced_down': False})
        super().reset()
        self.host_faults.connected.clear()
        self.contents.clear()


class _Pool(pool.QueuePool):
    """Keeps connections open; no request waits for one."""

    def __init__(self, creator, **kwargs):
        super().__init__(creator, pool_size=8, max_overflow=-1)


def _noticing(nova, update):
    @functools.wraps(update)
    def update_and_notice(context, uuid, values, *args, **kwargs):
        new = values.get('task_state')
        if not new or new in _DELETING:
            return update(context, uuid, values, *args, **kwargs)
        with main_db.get_context_manager(context).reader.using(context):
            row = context.session.query(models.Instance.task_state).filter_by(
                uuid=uuid, deleted=0).first()
        try:
            result = update(context, uuid, values, *args, **kwargs)
        except exception.UnexpectedTaskStateError:
            # As released, a request that is told so may go on to save.
            nova.told.add(uuid)
            raise
        if row and row.task_state == 'deleting' and uuid not in nova.told:
            nova.overwritten.append((uuid, row.task_state, new))
        return result

    return update_and_notice


def _asking(nova, method):
    @functools.wraps(method)
    def ask_and_do(driver, context, *args, **kwargs):
        server, = [each.uuid for each in args
                   if isinstance(each, objects.Instance)] or [
                       kwargs['instance'].uuid]
        nova.history.note_work(server, method.__name__)
        return method(driver, context, *args, **kwargs)

    return ask_and_do


def _removing(nova):
    remove = cinder_status.CinderStatusFixture.remove_attachment

    def remove_attachment(rules, attachment_id):
        nova.removed.update(
            (row['instance_uuid'], row['volume_id'])
            for row in rules.attachments() if row['id'] == attachment_id)
        return remove(rules, attachment_id)

    return remove_attachment


def _lagging_list(nova):
    show = cinder_status.CinderStatusFixture._list_view

    def list_view(rules, rows):
        return show(rules, nova.shown(rows))

    return list_view


def _lagging_volume(nova):
    show = cinder_status.CinderStatusFixture._volume_view

    def volume_view(rules, volume):
        view = show(rules, volume)
        rows = rules.attachments(volume)
        shown = {row['id'] for row in nova.shown(rows)}
        if len(shown) == len(rows):
            return view
        attached = {
            server: each for server, each in
            view.pop('attachments', {}).items()
            if each['attachment_id'] in shown}
        hosts = view.pop('attached_hosts', {})
        if attached:
            view['attachments'] = attached
            view['attached_hosts'] = {
                name: host for name, host in hosts.items() if name in shown}
        else:
            view['attach_status'] = 'detached'
            if view['status'] == 'in-use':
                view['status'] = 'available'
        return view

    return volume_view


def _deleting(nova):
    delete = cinder_status.CinderStatusFixture._do_attachment_delete

    def attachment_delete(rules, *args, **kwargs):
        result = delete(rules, *args, **kwargs)
        nova.history.note_freed()
        return result

    return attachment_delete


def _reimaging(nova):
    reimage = cinder_status.CinderStatusFixture._do_reimage_volume

    def reimage_volume(rules, notify, volume_id, *args, **kwargs):
        result = reimage(rules, notify, volume_id, *args, **kwargs)
        # The status is `downloading` before the image is looked up and the
        # message is sent, and stays so if that fails.
        error = nova.history.calls.fail_step('reimage_cast', volume_id)
        if error:
            del rules._volume(volume_id)['reimage']
            raise error
        return result

    return reimage_volume
