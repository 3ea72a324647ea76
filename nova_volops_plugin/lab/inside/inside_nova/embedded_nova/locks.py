# SPDX-License-Identifier: Apache-2.0

"""A lock of Nova's fixtures that many requests at once can share."""

import sys

import fixtures
from nova.tests import fixtures as nova_fixtures

# The package has an attribute of that name which is Nova itself.
_MODULE = sys.modules['nova.tests.fixtures.nova']


class ReadersFirst(nova_fixtures.ReaderWriterLock):
    """Readers do not wait for writers that wait.

    Nova's CellDatabases fixture reads while it holds another lock, that of the
    database, which another reader may wait for. With a writer between them
    all three would wait for ever.
    """

    has_pending_writers = False


class ReadersFirstFixture(fixtures.Fixture):
    """Give it to the fixtures that are made from now on."""

    def _setUp(self):
        self.useFixture(fixtures.MockPatchObject(
            _MODULE, 'ReaderWriterLock', ReadersFirst))
