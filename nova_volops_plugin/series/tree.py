# SPDX-License-Identifier: Apache-2.0

"""The trees of the state folder: unpatched and patched."""

import functools
import logging
import pathlib
import shutil
import tempfile

from nova_volops_plugin.bases import git
from nova_volops_plugin.bases import lock
from nova_volops_plugin.bases import repository
from nova_volops_plugin.bases import sdist
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import combination

LOG = logging.getLogger(__name__)


def fetch(state, base, sdist_file=None):
    """Return the folder of a base's git tree, made when missing.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param sdist_file: a source distribution to take instead of downloading
    :raises VolopsError: it cannot be downloaded or unpacked; nothing is
        left half done
    """
    path = state.trees / base.name
    with lock.hold(_lock(path)):
        if sdist_file:
            # It is looked at, too, where the tree is there already.
            sdist.ensure(state, base, sdist_file)
        return _fetched(state, base, path)


def ensure(state, base, patched=True, commits=False, only=None):
    """Return the folder of a work tree of a base, fetched when missing.

    The patched and the unpatched one are two folders, and so is that of each
    combination of topics. A tree that has an
    older state of the series gets the present one.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param patched: with the whole series applied, or as released
    :param commits: whether each patch's commit matters: patches that were
        changed may give the same tree in the end
    :param only: the names of topics that it has with those they need, by
        default all
    :raises BadInput: the series has no such topic
    :raises VolopsError: the tree holds changes of the user's own, or it
        cannot be made
    """
    fetched = state.trees / base.name
    series = combination.Series(base, functools.partial(
        _fetched, state, base, fetched))
    names = series.names(only)
    suffix = '' if patched else '-unpatched'
    if patched and names != series.names():
        suffix = '-only-' + '+'.join(series.topics.leading(names))
    path = state.trees / (base.name + suffix)
    with lock.hold(_lock(fetched)):
        _fetched(state, base, fetched)
        if path != fetched and not path.is_dir():
            _clone(fetched, path, base)
        tree = checkout.Checkout(path, git.isolated(path))
        with tree.locked():
            _bring(tree, series, names if patched else None, commits)
        if not (path / repository.METADATA).is_dir():
            repository.write_metadata(
                path, base, sdist.ensure(state, base))
    return path


def _lock(path):
    return path.parent / ('.%s.lock' % path.name)


def _fetched(state, base, path):
    if not path.is_dir():
        archive = sdist.ensure(state, base)
        repository.make(path, base, archive)
    elif not git.isolated(path).succeeds(
            'rev-parse', '--verify', '--quiet',
            repository.tag(base) + '^{commit}'):
        raise exceptions.VolopsError(
            '%s is not a tree of nova %s; move it away and fetch again' %
            (path, base.version))
    return path


def _clone(source, path, base):
    with tempfile.TemporaryDirectory(
            prefix='.%s-' % path.name, dir=path.parent) as folder:
        work = pathlib.Path(folder) / 'tree'
        clone = repository.clone(source, work, '--local')
        clone.run('remote', 'remove', 'origin')
        clone.run('reset', '--quiet', '--hard', repository.tag(base))
        for name in repository.UNTRACKED:
            if (source / name).is_dir():
                shutil.copytree(source / name, work / name)
            elif (source / name).is_file():
                shutil.copy(source / name, work / name)
        work.rename(path)


def _bring(tree, series, names, commits):
    """Give a tree of the state folder the present state of topics.

    :param names: their names, None for the released base
    """
    tree.recover()
    base, patched = series.base, names is not None
    wanted = series.recorded(names) if patched else base.base_tree
    released = repository.commit(tree.git, base)
    if tree.tree() == wanted and not tree.dirty() and (
            not commits or tree.head() == tree.stack(series, released, names)):
        return
    head = tree.stack(series, released, names) if patched else released
    if tree.head() == head and not tree.dirty():
        return
    if tree.head() not in (released, tree.applied()):
        raise exceptions.VolopsError(
            '%s holds commits of yours; keep them on a branch, then put the '
            'tree back by "git -C %s reset --hard %s"' %
            (tree.path, tree.path, base.version))
    tree.require_clean()
    LOG.info('applying the series of %s' if patched else
             'putting %s back as released', base.name)
    tree.move(head, released if patched else None)
