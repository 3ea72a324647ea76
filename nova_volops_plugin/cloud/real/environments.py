# SPDX-License-Identifier: Apache-2.0

"""The Python environments: one per Nova, one for the other services."""

import functools
import pathlib

from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import git
from nova_volops_plugin.series import tree

# The distribution's own: its modules for Ceph are not on PyPI, and its uWSGI
# runs the applications of no other Python.
PYTHON = '/usr/bin/python3'
_CEPH_MODULES = ('rados', 'rbd')
_CONSTRAINTS = pathlib.Path(__file__).with_name('constraints.txt')
_NOVA_EXTRAS = ('libvirt-python==11.10.0', 'python-memcached==1.62')


class Environments:
    """Makes them when missing.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param patched: False for the base as released
    """

    def __init__(self, state, base, patched):
        self._state = state
        self._base = base
        self._patched = patched

    @functools.cached_property
    def tree(self):
        """The folder of Nova's source."""
        return tree.ensure(self._state, self._base, self._patched)

    @functools.cached_property
    def released_tree(self):
        """The folder of Nova's source as released."""
        return tree.ensure(self._state, self._base, False)

    @functools.cached_property
    def tree_id(self):
        """The git tree id of Nova's source."""
        return git.isolated(self.tree).line('rev-parse', 'HEAD^{tree}')

    @functools.cached_property
    def nova(self):
        """The folder of what Nova imports."""
        path = environment.ensure(
            self._state, self._base, _NOVA_EXTRAS, preferred=PYTHON)
        _link_ceph(path)
        return path

    @property
    def nova_knows_ceph(self):
        """Whether Nova's Python has the distribution's modules for Ceph."""
        return bool(list(self.nova.glob('lib/python3*/site-packages/rbd.*')))

    @functools.cached_property
    def neighbours(self):
        """The folder of Keystone, Glance, Placement, Neutron and Cinder."""
        pins = [line for line in _CONSTRAINTS.read_text().splitlines()
                if line and not line.startswith('#')]
        path = environment.of_tools(
            self._state, 'neighbours', pins, interpreter=PYTHON,
            installed_first=[line for line in pins if line.startswith(
                ('setuptools=', 'wheel='))],
            options=['--no-build-isolation'])
        _link_ceph(path)
        return path


def _link_ceph(path):
    """Give an environment the distribution's modules for Ceph.

    An environment of another Python stays without: only Cinder, whose
    environment is of the distribution's Python, cannot do without them.
    """
    for folder in path.glob('lib/python3.*/site-packages'):
        version = folder.parent.name.removeprefix('python3.')
        for module in _CEPH_MODULES:
            for found in pathlib.Path('/usr/lib/python3/dist-packages').glob(
                    '%s.cpython-3%s-*.so' % (module, version)):
                link = folder / found.name
                if not link.is_symlink():
                    link.symlink_to(found)
