# SPDX-License-Identifier: Apache-2.0

"""Serializes changes of the state folder between processes."""

import contextlib
import fcntl
import logging

LOG = logging.getLogger(__name__)


@contextlib.contextmanager
def hold(path):
    """Hold a lock file; wait while another process holds it.

    The kernel lets go of it however the process ends.

    :param path: the lock file's :class:`pathlib.Path`; made when missing
    """
    with open(path, 'a') as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            LOG.info('waiting for another process that works on %s',
                     path.stem.lstrip('.'))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
