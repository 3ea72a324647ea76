# SPDX-License-Identifier: Apache-2.0

"""Runs a program in the process of Nova's services."""

import functools
import importlib
import json
import os
import sys
import traceback

BAD_INPUT = 2


def patch():
    """Patch the standard library for eventlet, in releases that use it.

    No module that knows of threads may be imported before. It is the first of
    these that does so in some releases, the second one in others. Databases
    in memory are made to last.
    """
    for name in ('nova.tests.functional', 'nova.test'):
        importlib.import_module(name)
    _keep_connections()


def _keep_connections():
    """Have no connection to a database renewed after an hour.

    A database in memory is lost with its connection.
    """
    import sqlalchemy

    create = sqlalchemy.create_engine

    @functools.wraps(create)
    def create_engine(*args, **kwargs):
        return create(*args, **dict(kwargs, pool_recycle=-1))

    sqlalchemy.create_engine = create_engine


def tell(result):
    """Print a result as a line of JSON."""
    sys.stdout.write(json.dumps(result) + '\n')
    sys.stdout.flush()


def require(what, given, known):
    """End with the exit code of bad input if a name is not known.

    :param what: of what kind the names are, a word
    :param given: a list of names
    :param known: those that there are, in their order
    """
    for name in given:
        if name not in known:
            sys.stderr.write('there is no %s %s; choose from %s\n' % (
                what, name, ', '.join(dict.fromkeys(known))))
            sys.exit(BAD_INPUT)


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
