# SPDX-License-Identifier: Apache-2.0

"""Merges into files what another base's patch of the same change does.

Where a release is older than the one a series comes from, a third one may
have the code that a patch changes as this one has it.
"""

import pathlib
import tempfile

from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import marks
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import renumber


class Change:
    """What the patch of another base changes, with this one's microversions.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`; it gets the
        other base's commits, on no branch
    :param base: the :class:`nova_volops_plugin.bases.base.Base` of this tree
    :param other: the other one
    :param source: the path of a git tree that has its release
    :param last: the last microversion of this release, its minor number
    """

    def __init__(self, git, base, other, source, last):
        self._git = git
        self._bases = base, other
        git.run('fetch', '--quiet', '--no-tags', source,
                repository.tag(other))
        start = git.line('rev-parse', 'FETCH_HEAD^{commit}')
        first = renumber.last_microversion(git, start)
        self._patches = series_patch.load(other)
        self._commits = renumber.commits(
            git, start, self._patches, renumber.following(
                first, int(other.microversions[1].partition('.')[2]) - first,
                last))

    def merge(self, change_id, tree):
        """Merge the change into the files of a work tree that have it too.

        Those are the files in conflict, and those that the work tree has as
        its commit has them.

        :param change_id: the patch's trailer
        :param tree: the path of the work tree
        :returns: a dict of path and number of conflicts left there; files
            that the commit does not have are not in it
        """
        number = next((
            number for number, patch in enumerate(self._patches)
            if patch.trailer('Change-Id') == change_id), None)
        if number is None:
            return {}
        before, after = self._commits[number:number + 2]
        labels = marks.labels(*self._bases, self._patches[number].subject)
        done = {}
        for path in self._git.lines(
                'diff', '--name-only', '--no-renames', '--diff-filter=M',
                '-z', before, after):
            if self._may_be_merged(path):
                done[path] = self._merge(
                    pathlib.Path(tree) / path, path, before, after, labels)
        return done

    def _may_be_merged(self, path):
        status = self._git.line(
            'status', '--porcelain', '--no-renames', '--', path)[:2]
        return status in ('', 'UU', 'AA') and self._git.succeeds(
            'cat-file', '-e', 'HEAD:' + path)

    def _merge(self, file, path, before, after, labels):
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
            names = []
            for name, revision in (
                    ('ours', 'HEAD'), ('base', before), ('theirs', after)):
                names.append(pathlib.Path(folder) / name)
                names[-1].write_bytes(self._git.run(
                    'show', '%s:%s' % (revision, path)))
            merged = self._git.attempt('merge-file', '-p', *(
                word for label in labels for word in ('-L', label)), *names)
        file.write_bytes(merged.stdout)
        return merged.returncode
