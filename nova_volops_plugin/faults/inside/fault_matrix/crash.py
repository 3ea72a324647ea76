# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Services that stop in the middle of a request.

All services live in one process, so a stop is an exception that nothing
handles, and nothing that runs on the way out can change anything: the thread
neither writes to a database nor reaches Cinder any more.
"""

import threading

import fixtures
from oslo_messaging import exceptions
from oslo_messaging.rpc import dispatcher
from sqlalchemy import engine
from sqlalchemy import event

_WRITES = ('INSERT', 'UPDATE', 'DELETE')


class Crash(BaseException):
    """The service has stopped."""


class Crashes(fixtures.Fixture):
    """Stops threads, each of them until the request it serves is over."""

    def setUp(self):
        super().setUp()
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
        event.listen(engine.Engine, 'before_cursor_execute', self._execute)
        self.addCleanup(event.remove, engine.Engine, 'before_cursor_execute',
                        self._execute)

    def _execute(self, connection, cursor, statement, *args):
        if statement.lstrip().upper().startswith(_WRITES):
            self.check()

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
