# SPDX-License-Identifier: Apache-2.0

"""The patches of all bases as a commit of their repository has them."""

import hashlib

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file


def load(root, series, since=None):
    """Return the patches as they were.

    A file that is as it was is not read again: its patch is the same object.

    :param root: the :class:`pathlib.Path` of the folder of the bases' folders
    :param series: a dict of base name and its list of
        :class:`nova_volops_plugin.series.patch.Patch`, as they are now
    :param since: the name of a commit, by default HEAD
    :returns: a dict like ``series``; an empty one when no commit is named
        and the folder is in no repository that has one
    :raises BadInput: there is no such commit
    """
    git = bases_git.Git(root)
    found = git.attempt('rev-parse', '--verify', '--quiet',
                        (since or 'HEAD') + '^{commit}')
    if found.returncode and not since:
        return {}
    if found.returncode:
        raise exceptions.BadInput(
            'there is no commit %r in a git repository of %s' % (since, root))
    listed = _listed(git, found.stdout.decode().strip(), series)
    known = _known(series, listed)
    wanted = sorted({
        blob for name, file_name, blob in listed if (name, blob) not in known})
    contents = dict(zip(wanted, git.objects(wanted)))
    then = {name: [] for name in series}
    for name, file_name, blob in listed:
        if (name, blob) in known:
            then[name].append(known[name, blob])
            continue
        try:
            then[name].append(series_patch.Patch(
                root / name / file_name, contents[blob]))
        except exceptions.BadInput:
            # What the commit has cannot be mended any more.
            continue
    return then


def _listed(git, commit, series):
    """Return (base, file name, blob id) of each patch of the commit."""
    listed = []
    for record in git.lines('ls-tree', '-r', '-z', commit):
        entry, path = record.split('\t', 1)
        name, _slash, file_name = path.partition('/')
        if name in series and series_file.FILE.fullmatch(file_name):
            listed.append((name, file_name, entry.split()[2]))
    return listed


def _known(series, listed):
    """Return a dict of (base, blob id) and the patch of today."""
    if not listed:
        return {}
    kind = 'sha1' if len(listed[0][2]) == 40 else 'sha256'
    return {
        (name, hashlib.new(kind, b'blob %d\0' % len(patch.content) +
                           patch.content).hexdigest()): patch
        for name, patches in series.items() for patch in patches}
