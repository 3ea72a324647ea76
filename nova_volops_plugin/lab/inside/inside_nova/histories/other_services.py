# SPDX-License-Identifier: Apache-2.0

"""Faults of the services other than Cinder that Nova needs.

Calls to Placement, to Glance and to the API database are counted together;
the nth of one of them is refused, gets no answer in time or loses it.
"""

import contextlib
import functools

import fixtures
from keystoneauth1 import exceptions as ks_exc
from nova.db.api import api as api_db
from nova import exception
from nova.tests.fixtures import glance
from oslo_db import exception as db_exc
from oslo_utils import importutils
import requests
from sqlalchemy import engine
from sqlalchemy import event
from sqlalchemy import orm

SERVICES = ('placement', 'glance', 'api-database')
FAULTS = ('refused', 'timeout', 'lost')
_READING, _WRITING = ('select',), ('insert', 'update', 'delete')
_OF_PLACEMENT = ('get', 'post', 'put', 'delete')
_OF_GLANCE = ('show', 'detail', 'create', 'update', 'delete', 'download')


class OtherServices(fixtures.Fixture):
    """Gives the trouble to one call.

    It has to be set up when Placement and Glance are.

    :ivar hit: the name of the call that has had it, or None
    :ivar left: how many calls are missing until one has it
    """

    def setUp(self):
        super().setUp()
        self.pause()
        self.hit = None
        client = 'nova.scheduler.client.report.SchedulerReportClient'
        for name in _OF_PLACEMENT:
            self._patch(client, name, _no_placement)
        for name in _OF_GLANCE:
            self._patch('%s.GlanceFixture' % glance.__name__, name, _no_glance)
        for target, name, listener in (
                (engine.Engine, 'before_cursor_execute', self._execute),
                (orm.Session, 'after_commit', self._committed)):
            event.listen(target, name, listener)
            self.addCleanup(event.remove, target, name, listener)

    def begin(self, service, nth, fault):
        """Give the trouble to the nth call from now on.

        :param service: one of SERVICES
        :param nth: from 1
        :param fault: one of FAULTS
        """
        self._service, self.left, self._fault = service, nth, fault
        self._loses = False
        self.hit = None

    def pause(self):
        """Let everything work."""
        self._service = None
        self._loses = False

    @contextlib.contextmanager
    def suspended(self):
        """Let everything work meanwhile."""
        service, self._service = self._service, None
        try:
            yield
        finally:
            self._service = service

    def _patch(self, owner, name, error):
        own = getattr(importutils.import_class(owner), name)
        service = 'placement' if error is _no_placement else 'glance'

        @functools.wraps(own)
        def call(*args, **kwargs):
            if not self._is_it(service, name):
                return own(*args, **kwargs)
            if self._fault == 'lost':
                own(*args, **kwargs)
            return error(self._fault)

        self.useFixture(fixtures.MonkeyPatch('%s.%s' % (owner, name), call))

    def _is_it(self, service, name):
        if service != self._service or self.hit:
            return False
        self.left -= 1
        if self.left:
            return False
        self.hit = '%s-%s' % (service, name)
        return True

    @staticmethod
    def _is_api_database(bind):
        found = getattr(bind, 'engine', bind)
        return found is api_db.context_manager.writer.get_engine()

    def _execute(self, connection, cursor, statement, *args):
        if self._service != 'api-database' or not self._is_api_database(
                connection):
            return
        verb = statement.split(None, 1)[0].lower()
        if verb not in _READING[self._fault == 'lost':] + _WRITING:
            return
        if self._is_it('api-database', verb):
            if self._fault != 'lost':
                raise db_exc.DBConnectionError('no database')
            self._loses = True

    def _committed(self, session):
        if self._loses and self._is_api_database(session.get_bind()):
            self._loses = False
            raise db_exc.DBConnectionError('the answer is lost')


def _no_placement(fault):
    if fault != 'refused':
        raise ks_exc.ConnectTimeout('Placement does not answer')
    answer = requests.Response()
    answer.status_code = 503
    answer.headers['Content-Type'] = 'application/json'
    answer._content = b'{"errors": [{"status": 503, "title": "busy"}]}'
    return answer


def _no_glance(fault):
    raise exception.GlanceConnectionFailed(server='glance', reason=fault)
