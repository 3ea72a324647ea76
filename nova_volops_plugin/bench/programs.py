# SPDX-License-Identifier: Apache-2.0

"""Programs that are measured."""

import os
import subprocess
import sys
import time

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

LAST_LINES = 10
STOP_SECONDS = 60
TOOL = (sys.executable, '-m', 'nova_volops_plugin.cmd.app')


def do(*command, **kwargs):
    """Run a program to its end.

    :param kwargs: those of :func:`nova_volops_plugin.child.running`
    :raises VolopsError: it fails
    """
    words = [os.fspath(word) for word in command]
    with child.running(
            words, stop_seconds=STOP_SECONDS, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors='replace',
            **kwargs) as process:
        output, _nothing = process.communicate()
    if process.returncode:
        raise exceptions.VolopsError('%s failed: %s' % (
            ' '.join(words[:6]),
            '\n'.join(output.splitlines()[-LAST_LINES:])))


def timed(work):
    """Run a function that runs programs, and wait for them.

    :returns: how many seconds it takes, and how many of the processor the
        programs use
    """
    started, used = time.monotonic(), child.processor_seconds()
    work()
    return time.monotonic() - started, child.processor_seconds() - used
