# SPDX-License-Identifier: Apache-2.0

"""Records the tree on which all tests of a series passed.

base.conf holds the id of that tree for each kind of threads, so that the
tests of a series that has not changed since need not all run again.
"""

from nova_volops_plugin.bases import files

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
    conf = files.read_conf(path)
    trees = conf[_SECTION] if conf.has_section(_SECTION) else {}
    conf[_SECTION] = dict(sorted({**trees, mode: base.tree}.items()))
    path.write_text(files.dump_conf(conf))
