# SPDX-License-Identifier: Apache-2.0

"""Detects the base of a tree of Nova."""

import pathlib

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import microversion
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import installed
from nova_volops_plugin.series import release


class Unknown(exceptions.BadInput):
    """The tree is no release that has a series."""


def open_tree(path):
    """Return what handles a tree.

    :param path: the top of a git tree of Nova, or any folder that holds
        Nova's package ``nova``, for example ``site-packages``
    :returns: a :class:`nova_volops_plugin.series.checkout.Checkout` or
        :class:`nova_volops_plugin.series.installed.Installed`
    :raises BadInput: there is no Nova
    """
    path = pathlib.Path(path).absolute()
    if path.name == 'nova' and (path / 'compute').is_dir() and \
            (path / '__init__.py').is_file():
        path = path.parent
    if not (path / 'nova/compute').is_dir():
        raise exceptions.BadInput(
            '%s holds no Nova: there is no nova/compute in it; name the '
            'folder that has the folder "nova"' % path)
    git = bases_git.Git(path)
    # An unpacked Nova may lie inside another project's repository.
    if (path / '.git').exists():
        git.run('rev-parse', '--verify', 'HEAD^{commit}')
        return checkout.Checkout(path, git)
    return installed.Installed(path)


def open_git(path):
    """Return the :class:`nova_volops_plugin.series.checkout.Checkout`.

    :raises BadInput: there is no git tree of Nova
    """
    tree = open_tree(path)
    if tree.kind != 'git':
        raise exceptions.BadInput(
            '%s is no git tree; a series is made of commits' % path)
    return tree


def identify(tree, said=None, root=None):
    """Return the :class:`nova_volops_plugin.bases.base.Base` of a tree.

    A tree is of a base when its version is of the same major release:
    stable releases of one differ little, and a patch that does not fit is
    refused when it is applied.

    :param tree: what :func:`open_tree` returns
    :param said: the base that the user says it is, None for nothing
    :param root: as in :func:`nova_volops_plugin.bases.base.names`
    :raises Unknown: it is no base, or another one than the user says
    """
    bases = nova_base.load_all(root)
    found = _by_tree(tree, bases) or _by_version(tree, bases)
    if said:
        if found and found.name != said.name:
            raise Unknown('%s is a tree of %s, not of %s' %
                          (tree.path, found.name, said.name))
        return said
    if not found:
        raise Unknown(
            '%s does not tell which release of Nova it is; name its base: %s' %
            (tree.path, ', '.join(base.name for base in bases)))
    return found


def _by_tree(tree, bases):
    if tree.kind != 'git':
        return None
    commit = tree.tree()
    for base in bases:
        if commit in (base.base_tree, base.tree, *base.topics.values()):
            return base
    return None


def _by_version(tree, bases):
    version = release.version(tree)
    if version:
        for base in bases:
            if base.version.split('.')[0] == version.split('.')[0]:
                return base
        raise Unknown(
            '%s is nova %s, which has no series; the bases are: %s' %
            (tree.path, version, ', '.join(
                '%s (nova %s)' % (base.name, base.version)
                for base in bases)))
    try:
        found = microversion.last(
            (tree.path / microversion.PATH).read_text(errors='replace'))
    except OSError:
        return None
    # The series' number on one release may be a later release's own.
    fitting = [base for base in bases if found in base.microversions]
    return fitting[0] if len(fitting) == 1 else None
