# SPDX-License-Identifier: Apache-2.0

"""Merges the same change of another base into files.

Where a release is older than the one a series comes from, a third one may
have the code that a patch changes as this one has it.
"""

import pathlib
import tempfile

from nova_volops_plugin.series import marks
from nova_volops_plugin.series import patch as series_patch


def merge(git, base, other, commits, change_id, tree):
    """Merge a change into the files of a work tree that have it too.

    Those are the files in conflict, and those that the work tree has as its
    commit has them.

    :param git: the :class:`nova_volops_plugin.bases.git.Git` of the work tree
    :param base: the :class:`nova_volops_plugin.bases.base.Base` of this tree
    :param other: the one whose patch it is
    :param commits: what :func:`renumber.commits` returns of that
    :param change_id: the patch's trailer
    :param tree: the :class:`pathlib.Path` of the work tree
    :returns: a dict of path and number of conflicts left there; files that
        the commit does not have are not in it
    """
    for patch, before, after in zip(
            series_patch.load(other), commits, commits[1:]):
        if patch.trailer('Change-Id') == change_id:
            break
    else:
        return {}
    labels = marks.labels(base, other, patch.subject)
    return {
        path: _merge(git, tree / path, path, before, after, labels)
        for path in git.lines(
            'diff', '--name-only', '--no-renames', '--diff-filter=M', '-z',
            before, after) if _may_be_merged(git, path)}


def _may_be_merged(git, path):
    status = git.line('status', '--porcelain', '--no-renames', '--', path)[:2]
    return status in ('', 'UU', 'AA') and git.succeeds(
        'cat-file', '-e', 'HEAD:' + path)


def _merge(git, file, path, before, after, labels):
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        names = []
        for name, revision in (
                ('ours', 'HEAD'), ('base', before), ('theirs', after)):
            names.append(pathlib.Path(folder) / name)
            names[-1].write_bytes(git.run('show', '%s:%s' % (revision, path)))
        merged = git.attempt('merge-file', '-p', *(
            word for label in labels for word in ('-L', label)), *names)
    file.write_bytes(merged.stdout)
    return merged.returncode
