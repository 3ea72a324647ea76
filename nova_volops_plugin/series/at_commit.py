# SPDX-License-Identifier: Apache-2.0

"""The patches of all bases at a commit of their repository."""

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file


def load(root, names, since=None):
    """Return the patches as they were.

    :param root: the :class:`pathlib.Path` of the folder of the bases' folders
    :param names: of the bases
    :param since: the name of a commit, by default HEAD
    :returns: a dict of base name and its list of
        :class:`nova_volops_plugin.series.patch.Patch`; an empty one when no
        commit is named and the folder is in no repository that has one
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
    blobs = {}
    for record in git.lines(
            'ls-tree', '-r', '-z', found.stdout.decode().strip()):
        entry, path = record.split('\t', 1)
        name, _slash, file_name = path.partition('/')
        if name in names and series_file.FILE.fullmatch(file_name):
            blobs[name, file_name] = entry.split()[2]
    then = {name: [] for name in names}
    for (name, file_name), content in zip(
            blobs, git.objects(blobs.values())):
        try:
            then[name].append(series_patch.Patch(
                root / name / file_name, content))
        except exceptions.BadInput:
            # What the commit has cannot be fixed any more.
            continue
    return then
