# SPDX-License-Identifier: Apache-2.0

"""Records with which tree all tests that a series adds have passed.

base.conf holds the id of that tree for each kind of threads, so that the
tests of a series that has not changed since need not all run again.
"""

import configparser

_SECTION = 'tested'


def is_current(base, mode):
    """Return whether the tests passed with the tree that the series gives.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param mode: one of :data:`nova_volops_plugin.bases.threads.MODES`
    """
    return base.tested.get(mode) == base.tree


def record(base, mode):
    """Write that they passed with the tree that the series gives.

    :param base: as for :func:`is_current`, so is ``mode``
    """
    path = base.path / 'base.conf'
    text = path.read_text()
    head, _heading, _tail = text.partition('[%s]\n' % _SECTION)
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    trees = dict(parser[_SECTION] if parser.has_section(_SECTION) else {},
                 **{mode: base.tree})
    path.write_text('%s\n\n[%s]\n%s' % (
        head.rstrip('\n'), _SECTION, ''.join(
            '%s = %s\n' % item for item in sorted(trees.items()))))
