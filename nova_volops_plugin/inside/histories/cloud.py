# SPDX-License-Identifier: Apache-2.0

"""The cloud of the histories: that of the fault matrix, with data."""

import fixtures
from nova import context as nova_context
from nova.db.main import api as main_db
from nova.db.main import models
from nova import objects
from nova.volume import reservation

from fault_matrix import cloud
from histories import contents
from histories import elsewhere
from histories import released_hosts
from histories import trouble

_PERIODIC = ('_run_pending_deletes', '_cleanup_incomplete_migrations',
             'update_available_resource')


class HistoryNova(cloud.MatrixNova):
    """Nova with two computes, on volumes whose data is followed.

    :ivar contents: a :class:`contents.Contents`
    :ivar messages: a :class:`trouble.Messages`
    :ivar elsewhere: an :class:`elsewhere.Elsewhere`
    :ivar released: a :class:`released_hosts.ReleasedHosts`
    :ivar removed: pairs of server and volume of which an attachment was
        removed behind Nova's back, a set
    """

    def setUp(self):
        self.contents = self.useFixture(contents.Contents())
        self._hidden = None
        self.removed = set()
        self.released = self.useFixture(released_hosts.ReleasedHosts())
        self.useFixture(fixtures.MonkeyPatch(
            'nova.tests.fixtures.cinder_status.CinderStatusFixture.'
            '_list_view', _lagging(self)))
        self.useFixture(fixtures.MonkeyPatch(
            'nova.tests.fixtures.cinder_status.CinderStatusFixture.'
            'remove_attachment', _removing(self)))
        super().setUp()
        if hasattr(reservation, 'MAX_WAIT'):
            # It is to the pauses of the matrix as the real one to its own.
            self.useFixture(fixtures.MonkeyPatch(
                'nova.volume.reservation.MAX_WAIT', 0.5))
        self.contents.follow_guests()
        self.messages = self.useFixture(trouble.Messages())
        self.elsewhere = self.useFixture(elsewhere.Elsewhere())

    def lag(self, on):
        """Have Cinder's lists not show what is attached from now on."""
        self._hidden = {
            row['id'] for row in self.rules.attachments()} if on else None

    def shown(self, rows):
        """Return those of Cinder's attachments that its lists show."""
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

    def run_periodic_tasks(self):
        """Run those of the computes that clean up."""
        context = nova_context.get_admin_context()
        for compute in self.computes.values():
            for name in _PERIODIC:
                getattr(compute.manager, name)(context)

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
                        {'status': 'completed'})
                    cell_context.session.query(models.Service).update(
                        {'forced_down': False})
        super().reset()
        self.contents.clear()


def _removing(nova):
    from nova.tests.fixtures import cinder_status

    remove = cinder_status.CinderStatusFixture.remove_attachment

    def remove_attachment(rules, attachment_id):
        nova.removed.update(
            (row['instance_uuid'], row['volume_id'])
            for row in rules.attachments() if row['id'] == attachment_id)
        return remove(rules, attachment_id)

    return remove_attachment


def _lagging(nova):
    from nova.tests.fixtures import cinder_status

    show = cinder_status.CinderStatusFixture._list_view

    def list_view(rules, rows):
        return show(rules, nova.shown(rows))

    return list_view
