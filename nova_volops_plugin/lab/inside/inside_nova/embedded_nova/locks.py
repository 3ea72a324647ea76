# SPDX-License-Identifier: Apache-2.0

"""A lock of Nova's fixtures that many requests at once can share."""

from nova.tests import fixtures


class ReadersFirst(fixtures.ReaderWriterLock):
    """Readers do not wait for writers that wait.

    Nova's CellDatabases fixture reads while it holds another lock, that of the
    database, which another reader may wait for. With a writer between them
    all three would wait for ever.
    """

    has_pending_writers = False
