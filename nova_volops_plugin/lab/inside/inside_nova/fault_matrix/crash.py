# SPDX-License-Identifier: Apache-2.0

"""Services that stop in the middle of a request.

All services live in one process, so a stop is an exception that nothing
handles, and nothing that runs on the way out can change anything: the thread
neither writes to a database nor reaches Cinder any more.
"""

import re
import threading

import fixtures
from nova.db.api import models as api_models
from nova.db.main import models
from oslo_messaging import exceptions
from oslo_messaging.rpc import dispatcher
from sqlalchemy import engine
from sqlalchemy import event

_WRITE = re.compile(r'\s*(INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)',
                    re.IGNORECASE)
_NOVA = {table.name for base in (api_models.BASE, models.BASE)
         for table in base.metadata.tables.values()}
# Services write these by the clock, whatever they are asked to do.
_BY_THE_CLOCK = {'services', 'compute_nodes'}
_WRITTEN = 'fault_matrix_written'


class Crash(BaseException):
    """The service has stopped."""


class Crashes(fixtures.Fixture):
    """Stops threads, each of them until the request it serves is over.

    :ivar on_write: called with the verb and the table of the first write of
        each transaction on Nova's databases, before it is made. A stop at a
        later one comes to the same, as the transaction is rolled back.
    """

    def setUp(self):
        super().setUp()
        self.on_write = None
        self._stopped = set()
        dispatch = dispatcher.RPCDispatcher.dispatch

        def dispatch_until_stopped(instance, incoming):
            try:
                return dispatch(instance, incoming)
            except Crash:
                # Who waits for an answer waits in vain.
                raise exceptions.MessagingTimeout('the service has stopped')
            finally:
                self.forget()

        self.useFixture(fixtures.MonkeyPatch(
            'oslo_messaging.rpc.dispatcher.RPCDispatcher.dispatch',
            dispatch_until_stopped))
        for name, listener in (('begin', self._begin),
                               ('before_cursor_execute', self._execute)):
            event.listen(engine.Engine, name, listener)
            self.addCleanup(event.remove, engine.Engine, name, listener)

    @staticmethod
    def _begin(connection):
        connection.info[_WRITTEN] = False

    def _execute(self, connection, cursor, statement, *args):
        write = _WRITE.match(statement)
        if not write:
            return
        self.check()
        verb, table = write.group(1).split()[0].lower(), write.group(2)
        if table not in _NOVA or table in _BY_THE_CLOCK:
            return
        first = not connection.info.get(_WRITTEN)
        connection.info[_WRITTEN] = True
        if first and self.on_write:
            self.on_write(verb, table)

    def stop(self):
        """Stop the thread that calls; return what it is to raise."""
        self._stopped.add(threading.get_ident())
        return Crash()

    def check(self):
        """Raise :class:`Crash` in a thread that has stopped."""
        if threading.get_ident() in self._stopped:
            raise Crash()

    def forget(self):
        """Have the thread that calls serve the next request."""
        self._stopped.discard(threading.get_ident())

    def forget_all(self):
        """Have all threads serve: their names may be given to new ones."""
        self._stopped.clear()
