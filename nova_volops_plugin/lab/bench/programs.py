# SPDX-License-Identifier: Apache-2.0

"""Programs that are measured."""

import sys
import time

from nova_volops_plugin import child

STOP_SECONDS = 60
TOOL = (sys.executable, '-m', 'nova_volops_plugin.cmd.app')


def do(*command, **kwargs):
    """Run a program to its end.

    :param kwargs: those of :func:`nova_volops_plugin.child.run`
    :raises VolopsError: it fails
    """
    child.run(command, '%s failed:' % ' '.join(map(str, command[:6])),
              stop_seconds=STOP_SECONDS, **kwargs)


def timed(work):
    """Run a function that runs programs, and wait for them.

    :returns: how many seconds it takes, and how many of the processor the
        programs use
    """
    started, used = time.monotonic(), child.processor_seconds()
    work()
    return time.monotonic() - started, child.processor_seconds() - used
