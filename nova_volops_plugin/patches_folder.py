# SPDX-License-Identifier: Apache-2.0

"""The folder of the patches and their bases.

Clients need no more of a base than the microversions in its base.conf.
"""

import functools
import importlib.metadata
import pathlib

from nova_volops_plugin import exceptions


@functools.cache
def root():
    """Return the folder of the patches that came with this package.

    That is ``nova-patches`` of a checkout, else of the installed wheel.

    :raises VolopsError: the installation has no patches
    """
    checkout = pathlib.Path(__file__).parents[1] / 'nova-patches'
    if checkout.is_dir():
        return checkout
    for found in importlib.metadata.distributions(name='nova-volops'):
        for entry in found.files or ():
            if entry.parts[-3:-2] == ('nova-patches',):
                return pathlib.Path(entry.locate()).resolve().parents[1]
    raise exceptions.VolopsError(
        'this installation of nova-volops has no patches; install it again, '
        'or name their folder with --patches')


def names(folder=None):
    """Return the sorted names of all bases.

    :param folder: the :class:`pathlib.Path` of the folder of their folders,
        by default :func:`root`
    """
    return sorted(path.parent.name
                  for path in (folder or root()).glob('*/base.conf'))
