# SPDX-License-Identifier: Apache-2.0

"""A reader-writer lock for Nova's fixtures that prefers readers."""

from nova.tests import fixtures


class ReadersFirst(fixtures.ReaderWriterLock):
    """Readers do not wait for writers that wait.

    Nova's CellDatabases fixture reads while it holds another lock, that of the
    database, which another reader may wait for. With a writer between them
    all three would wait for ever.
    """

    has_pending_writers = False
