# SPDX-License-Identifier: Apache-2.0

"""Waits until a cloud reaches a state."""

import time

from openstack import exceptions

SECONDS = 300
# Soon for what is quick, seldom for what is not: to be asked is work for a
# cloud, too.
FIRST_POLL_SECONDS = 0.1
LAST_POLL_SECONDS = 1


def until(what, look, seconds=SECONDS, poll_seconds=LAST_POLL_SECONDS):
    """Call a function until it returns something true; return that.

    :param what: what is waited for, for the error
    :param look: called without arguments
    :param seconds: how long
    :param poll_seconds: how long at most between two looks
    :raises openstack.exceptions.ResourceTimeout: it did not come in time
    """
    deadline = time.monotonic() + seconds
    pause = FIRST_POLL_SECONDS
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise exceptions.ResourceTimeout(
                'after %d s still no %s' % (seconds, what))
        time.sleep(pause)
        pause = min(pause * 1.3, poll_seconds)
