# SPDX-License-Identifier: Apache-2.0

"""The hooks that feed the ledger."""

import contextlib
import inspect
import threading
import time

import fixtures
from nova.scheduler.client import report
from nova.volume import cinder
from oslo_context import context as oslo_context
from oslo_messaging.rpc import dispatcher
from oslo_messaging import transport
from sqlalchemy import engine
from sqlalchemy import event

from inside_nova.embedded_nova import guests
from inside_nova.embedded_nova import volumes
from inside_nova.nova_ledger import statements


class Taps(fixtures.Fixture):
    """Notes into a ledger what Nova's services do.

    :param nova: an ``embedded_nova.services.EmbeddedNova`` that is up
    :param book: a :class:`nova_ledger.ledger.Ledger`
    """

    def __init__(self, nova, book):
        super().__init__()
        self._nova = nova
        self._book = book
        self._here = threading.local()

    def setUp(self):
        super().setUp()
        self._tap_requests()
        self._tap_messages()
        self._tap_databases()
        self._tap_cinder()
        self._tap_placement()
        self._tap_guests()

    def _replace(self, owner, name, new):
        self.useFixture(fixtures.MockPatchObject(owner, name, new))

    def _tap_requests(self):
        get_app = self._nova.wsgi_app
        book = self._book

        def app(environ, start_response):
            began = time.monotonic(), time.process_time()
            told = {}

            def start(status, headers, *args):
                told.update({name.lower(): value for name, value in headers})
                return start_response(status, headers, *args)

            # A thread may have served another request before.
            oslo_context._request_store.context = None
            answer = inner(environ, start)
            book.answer(told.get('x-openstack-request-id'), *began)
            return answer

        inner = get_app()
        self._nova.wsgi_app = lambda: app

    def _tap_messages(self):
        send = transport.Transport._send
        dispatch = dispatcher.RPCDispatcher.dispatch
        book = self._book

        def noted_send(instance, target, ctxt, message, *args, **kwargs):
            book.note(ctxt.get('request_id'), 'rpc', message['method'])
            return send(instance, target, ctxt, message, *args, **kwargs)

        def noted_dispatch(instance, incoming):
            request = incoming.ctxt.get('request_id')
            book.enter(request)
            try:
                return dispatch(instance, incoming)
            finally:
                book.enter(request, -1)

        self._replace(transport.Transport, '_send', noted_send)
        self._replace(dispatcher.RPCDispatcher, 'dispatch', noted_dispatch)

    def _tap_databases(self):
        event.listen(engine.Engine, 'before_cursor_execute', self._note_sql)
        self.addCleanup(event.remove, engine.Engine, 'before_cursor_execute',
                        self._note_sql)

    def _note_sql(self, connection, cursor, statement, *args):
        request = _request()
        name = statements.name_of(statement)
        if request and name and not self._elsewhere:
            self._book.note(request, 'sql', name)

    @property
    def _elsewhere(self):
        """Whether this thread plays a neighbour of Nova just now."""
        return getattr(self._here, 'elsewhere', False)

    @contextlib.contextmanager
    def _as_neighbour(self):
        self._here.elsewhere = True
        try:
            yield
        finally:
            self._here.elsewhere = False

    def _tap_cinder(self):
        for name, method in inspect.getmembers(cinder.API, callable):
            # What checks something asks nobody.
            if not name.startswith(('_', 'check_')):
                self._replace(cinder.API, name, self._cinder(name, method))
        call = volumes.Volumes.__call__

        def as_neighbour(app, environ, start_response):
            with self._as_neighbour():
                return call(app, environ, start_response)

        self._replace(volumes.Volumes, '__call__', as_neighbour)
        send_event = self._nova.cinder.send_event

        def send_if_wanted(*args):
            if self._book.events:
                send_event(*args)

        self._nova.cinder.send_event = send_if_wanted

    def _cinder(self, name, method):
        # The fixtures' mocks are bound to no instance of the API.
        bound = not inspect.isfunction(method)
        book = self._book

        def call(api, context, *args, **kwargs):
            words = (context, *args) if bound else (api, context, *args)
            if self._elsewhere:
                return method(*words, **kwargs)
            # The context may be an administrator's, made for this call.
            request = _request() or context.request_id
            book.note(request, 'cinder', name)
            try:
                with self._as_neighbour():
                    if book.cinder_seconds:
                        time.sleep(book.cinder_seconds)
                    return method(*words, **kwargs)
            except Exception:
                book.note(request, 'refused', name)
                raise
            finally:
                book.note(request)

        return call

    def _tap_placement(self):
        for name in ('get', 'post', 'put', 'delete'):
            method = getattr(report.SchedulerReportClient, name)
            self._replace(report.SchedulerReportClient, name,
                          self._placement(name, method))

    def _placement(self, name, method):

        def call(client, url, *args, **kwargs):
            context = oslo_context.get_current()
            if context:
                self._book.note(_request(), 'placement', name)
            try:
                with self._as_neighbour():
                    return method(client, url, *args, **kwargs)
            finally:
                # Placement has put its own context in the place of Nova's.
                oslo_context._request_store.context = context

        return call

    def _tap_guests(self):
        for name, what in (('destroy', 'down'), ('createWithFlags', 'up')):
            self._replace(guests.Domain, name, self._guest(
                what, getattr(guests.Domain, name)))

    def _guest(self, what, method):

        def call(domain, *args, **kwargs):
            result = method(domain, *args, **kwargs)
            self._book.note_guest(domain.UUIDString(), what)
            return result

        return call


def _request():
    """Return the id of the request that this thread serves, or None."""
    context = oslo_context.get_current()
    return context and context.request_id
