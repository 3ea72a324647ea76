# SPDX-License-Identifier: Apache-2.0

"""A git tree of Nova: what it has of the series, and giving or taking it."""

import dataclasses
import logging

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import lock
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import release
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import work_tree

LOG = logging.getLogger(__name__)

_APPLIED = 'refs/nova-volops/applied'
_BEFORE = 'refs/nova-volops/before'
# How far below HEAD the series' commits are looked for.
_DEPTH = 500


class Refused(exceptions.BadInput):
    """The tree is not in a state the request fits; nothing was changed."""


@dataclasses.dataclass(frozen=True)
class Status:
    """What a tree has of a series.

    :param state: ``released``, ``patched`` (the whole series on top),
        ``partly`` or ``changed`` (the series with something else on top)
    :param applied: how many of the series' patches it has
    :param total: how many the series has
    :param clean: whether no file differs from what was recorded
    """

    state: str
    applied: int
    total: int
    clean: bool


class Checkout:
    """One git tree.

    :param path: its top folder, a :class:`pathlib.Path`
    :param git: its :class:`nova_volops_plugin.bases.git.Git`; by default
        one that heeds the user's settings, such as ``safe.directory``
    """

    kind = 'git'

    def __init__(self, path, git=None):
        self.path = path
        self.git = git or bases_git.Git(path)

    def head(self):
        """Return the id of the tree's commit."""
        return self.git.line('rev-parse', '--verify', 'HEAD^{commit}')

    def commit(self, name):
        """Return the id of a commit that HEAD descends from.

        :raises Refused: there is none of that name
        """
        if not self.git.succeeds('merge-base', '--is-ancestor', name, 'HEAD'):
            raise Refused('%s has no commit %r below HEAD' %
                          (self.path, name))
        return self.git.line('rev-parse', '--verify', name + '^{commit}')

    def tree(self):
        """Return the git tree id of the tree's commit."""
        return self.git.line('rev-parse', 'HEAD^{tree}')

    def dirty(self):
        """Return the tracked files that differ from the commit."""
        return [line[3:] for line in self.git.lines(
            'status', '--porcelain', '-z', '--no-renames',
            '--untracked-files=no', '--ignore-submodules=none')]

    def applied(self):
        """Return the commit the last apply ended with, None for none."""
        return self._reference(_APPLIED)

    def before(self):
        """Return the commit the last apply began at, None for none."""
        return self._reference(_BEFORE)

    def status(self, base):
        """Return the tree's :class:`Status` concerning a base's series."""
        patches = series_patch.load(base)
        own = self._own(patches)
        tops = self._tops(own)
        found = set().union(*own.values())
        if not found:
            state = 'released'
        elif len(found) == len(patches) and len(tops) == len(own):
            state = 'patched'
        else:
            state = 'changed' if len(found) == len(patches) else 'partly'
        return Status(state, len(found), len(patches), not self.dirty())

    def distance(self, base):
        """Say how far what is below the series is from the release.

        :returns: as :func:`release.distance` does
        """
        own = list(self._own(series_patch.load(base)))
        return release.distance_of_commit(
            base, self.git, own[-1] + '^' if own else 'HEAD')

    def apply(self, base):
        """Put the whole series on the tree's commit, a commit a patch.

        :param base: a :class:`nova_volops_plugin.bases.base.Base`
        :raises Refused: the tree is dirty or has the series
        :raises DoesNotApply: naming patch, file and hunk
        """
        with self.locked():
            self.recover()
            self.require_clean()
            status = self.status(base)
            if status.applied:
                raise Refused(
                    '%s has %d of the %d patches of %s already; see '
                    '"nova-volops patch status", or take them off first by '
                    '"nova-volops patch revert"' %
                    (self.path, status.applied, status.total, base.name))
            before = self.head()
            self.move(self.stack(base, before), before)

    def revert(self, base):
        """Put the tree back to the commit below the series.

        :raises Refused: the tree is dirty, has no patch of the series, or
            has other commits on top of them
        """
        with self.locked():
            self.recover()
            self.require_clean()
            head = self.head()
            if head == self.applied():
                self.move(self.before(), None)
                return
            own = self._own(series_patch.load(base))
            tops = self._tops(own)
            if not own:
                raise Refused('%s has no patch of %s; there is nothing to '
                              'take off' % (self.path, base.name))
            if len(tops) < len(own):
                commits = list(own)
                raise Refused(
                    '%s has other commits on top of the series or between '
                    'its patches. Move them off first: "git rebase --onto '
                    '%s^ %s"' % (self.path, commits[-1], commits[0]))
            self.move(self.git.line('rev-parse', tops[-1] + '^'), None)

    def stack(self, base, start):
        """Make the series' commits on a commit; return the last one's id.

        :raises DoesNotApply: naming patch, file and hunk
        :raises VolopsError: they do not give the tree that base.conf records
        """
        made = stack.commits(self.git, start, series_patch.load(base))
        head = made[-1] if made else start
        if self.git.line('rev-parse', start + '^{tree}') == base.base_tree:
            found = self.git.line('rev-parse', head + '^{tree}')
            if found != base.tree:
                raise exceptions.VolopsError(
                    'the series of %s gives the tree %s, but base.conf '
                    'records %s. Nothing was changed. The patches were '
                    'edited by hand or are not whole; see "nova-volops '
                    'patch verify"' % (base.name, found, base.tree))
        return head

    def move(self, commit, before):
        """Take the tree's files and branch to a commit, wholly or not.

        :param before: the commit to go back to on revert; None when the
            commit has no patches
        """
        work_tree.move(self.git, self.path, commit, refs={
            _APPLIED: commit if before else None, _BEFORE: before})

    def mark(self, before):
        """Take the tree's commits down as the series' present state."""
        for name, commit in ((_BEFORE, before), (_APPLIED, self.head())):
            self.git.run('update-ref', name, commit)

    def recover(self):
        """Undo what a killed apply or revert left half done."""
        if work_tree.recover(self.git, self.path):
            LOG.info('an apply or revert was interrupted here; the tree is '
                     'as it was before')

    def require_clean(self):
        """Raise :class:`Refused` when tracked files were changed."""
        dirty = self.dirty()
        if dirty:
            raise Refused(
                '%s has changes that are not committed: %s%s. Commit them '
                'or put them aside by "git stash" first' %
                (self.path, ', '.join(dirty[:5]),
                 ' and %d more' % (len(dirty) - 5) if dirty[5:] else ''))

    def locked(self):
        """Keep other processes of this tool from changing the tree."""
        return lock.hold(
            work_tree.git_folder(self.git) / 'nova-volops.lock')

    def _reference(self, name):
        done = self.git.attempt('rev-parse', '--verify', '--quiet', name)
        return done.stdout.decode().strip() or None

    def _own(self, patches):
        """Map the series' commits below HEAD, newest first, to Change-Ids."""
        wanted = {patch.trailer('Change-Id') for patch in patches} - {None}
        own = {}
        for record in self.git.lines(
                'log', '-z', '-n', _DEPTH, '--first-parent',
                '--format=%H %(trailers:key=Change-Id,valueonly,'
                'separator=%x20)', 'HEAD'):
            commit, *found = record.split()
            if wanted.intersection(found):
                own[commit] = wanted.intersection(found)
        return own

    def _tops(self, own):
        """Return those of the commits that nothing else is on top of."""
        newest = self.git.line(
            'rev-list', '-n', len(own) or 1, '--first-parent',
            'HEAD').split()
        tops = []
        for commit in newest:
            if commit not in own:
                break
            tops.append(commit)
        return tops
