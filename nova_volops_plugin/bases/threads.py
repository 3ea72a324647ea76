# SPDX-License-Identifier: Apache-2.0

"""The kinds of threads that Nova runs with."""

NATIVE = 'native'
EVENTLET = 'eventlet'
MODES = (NATIVE, EVENTLET)


def environ(mode):
    """Return the environment variables that choose one, a dict of str.

    Without them Nova 34 decides for each service, and what runs its tests or
    its fixtures is none. A Nova that only knows eventlet ignores them. On
    loopback eventlet needs no resolver of its own; an old one does not start
    without /etc/protocols, which a small system does not have.

    :param mode: one of MODES
    """
    return {'OS_NOVA_DISABLE_EVENTLET_PATCHING': str(mode == NATIVE),
            'EVENTLET_NO_GREENDNS': 'yes'}


def exclusions(tree, kind, mode):
    """Return the tests that Nova itself leaves out, as regular expressions.

    :param tree: the :class:`pathlib.Path` of a Nova tree
    :param kind: ``unit`` or ``functional``
    :param mode: one of MODES
    """
    path = tree / ('threading_%s_test_excludes.txt' % kind)
    if mode != NATIVE or not path.is_file():
        return []
    lines = (line.strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith('#')]
