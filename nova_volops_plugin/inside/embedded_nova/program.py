# SPDX-License-Identifier: Apache-2.0

"""Runs a program in whose process Nova's services run."""

import importlib
import os
import sys
import traceback


def patch():
    """Patch the standard library for eventlet, in releases that use it.

    No module that knows of threads may be imported before. It is the first of
    these that does so in some releases, the second one in others.
    """
    for name in ('nova.tests.functional', 'nova.test'):
        importlib.import_module(name)


def run(main):
    """Run a program and end the process.

    Nova's services have threads that never end, and Python waits for native
    ones.

    :param main: what is to be done, without arguments
    """
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code or 0
        if not isinstance(code, int):
            sys.stderr.write('%s\n' % code)
            code = 1
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
