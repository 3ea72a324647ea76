# SPDX-License-Identifier: Apache-2.0

"""Moves a git tree between commits so that an interruption is undone.

What is about to happen is written to a journal first; the index is made
beside the real one and renamed over it; branch and marks change in one
transaction. Whoever finds a journal puts the files back.
"""

import json
import os
import pathlib
import shutil

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions

_JOURNAL = 'nova-volops.json'
_INDEX = 'nova-volops.index'


def git_folder(git):
    """Return the folder of the work tree's own index and HEAD."""
    return pathlib.Path(git.line('rev-parse', '--absolute-git-dir'))


def move(git, path, commit, refs):
    """Move a clean tree and its branch to a commit.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param path: the work tree's :class:`pathlib.Path`
    :param commit: its id
    :param refs: a dict of full names of references and the id each shall
        have, None to delete it
    :raises BadInput: a file that git does not track is in the way; nothing
        was changed
    """
    folder = git_folder(git)
    old = git.line('rev-parse', '--verify', 'HEAD^{commit}')
    blocked = [name for name in _names(git, old, commit, 'A')
               if os.path.lexists(path / name)]
    if blocked:
        raise exceptions.BadInput(
            '%s has files that git does not track where the series has its '
            'own: %s. Move them away first' %
            (path, ', '.join(blocked[:5])))
    files.write_whole(
        folder / _JOURNAL, json.dumps({'old': old, 'new': commit}))
    index = folder / _INDEX
    shutil.copy(folder / 'index', index)
    beside = git.using(GIT_INDEX_FILE=str(index))
    try:
        # Exit code 1 says that files differ, which the next step refuses.
        beside.attempt('update-index', '-q', '--refresh')
        beside.run('read-tree', '-m', '-u', old, commit)
    except exceptions.VolopsError:
        recover(git, path)
        raise
    os.replace(index, folder / 'index')
    _references(git, commit, old, refs)
    (folder / _JOURNAL).unlink()


def recover(git, path):
    """Put back what a killed :func:`to` left half done.

    :returns: whether there was something
    """
    folder = git_folder(git)
    try:
        journal = json.loads((folder / _JOURNAL).read_text())
    except FileNotFoundError:
        return False
    old, new = journal['old'], journal['new']
    head = git.line('rev-parse', '--verify', 'HEAD^{commit}')
    if head == old:
        _restore(git, path, folder, old, new)
    (folder / _JOURNAL).unlink()
    return head == old


def _restore(git, path, folder, old, new):
    for name in _names(git, old, new, 'A'):
        file = path / name
        if os.path.lexists(file):
            file.unlink()
        for parent in file.relative_to(path).parents[:-1]:
            try:
                (path / parent).rmdir()
            except OSError:
                break
    index = folder / _INDEX
    for leftover in (index, folder / (_INDEX + '.lock')):
        leftover.unlink(missing_ok=True)
    beside = git.using(GIT_INDEX_FILE=str(index))
    beside.run('read-tree', old)
    names = _names(git, old, new, 'MDT')
    beside.run('checkout-index', '-q', '-f', '-u', '-z', '--stdin',
               stdin=''.join(name + '\0' for name in names).encode())
    beside.attempt('update-index', '-q', '--refresh')
    os.replace(index, folder / 'index')


def _names(git, old, new, kinds):
    return git.lines(
        'diff-tree', '-r', '-z', '--no-renames', '--name-only',
        '--diff-filter=' + kinds, old, new)


def _references(git, commit, old, refs):
    orders = ['update HEAD %s %s' % (commit, old)]
    for name, value in refs.items():
        if value:
            orders.append('update %s %s' % (name, value))
        elif git.succeeds('rev-parse', '--verify', '--quiet', name):
            orders.append('delete %s' % name)
    git.run('update-ref', '-m', 'nova-volops patch', '--stdin',
            stdin='\n'.join(orders + ['']).encode())
