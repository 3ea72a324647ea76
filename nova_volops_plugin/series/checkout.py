# SPDX-License-Identifier: Apache-2.0

"""Applies the series to a git tree of Nova and reverts it."""

import dataclasses
import logging

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import lock
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import combination
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
    :param topics: the names of the topics that it has, a tuple
    :param partly: those of which it has some patches
    """

    state: str
    applied: int
    total: int
    clean: bool
    topics: tuple = ()
    partly: tuple = ()


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

    def status(self, base, only=None):
        """Return the tree's :class:`Status` concerning a base's series.

        :param only: the names of the topics that count, with those they need;
            by default all
        """
        series = combination.Series(base)
        return self._status(series, series.names(only))

    def apply(self, base, only=None, fetched=None):
        """Put the series on the tree's commit, a commit a patch.

        Topics are added to those that the tree has.

        :param base: a :class:`nova_volops_plugin.bases.base.Base`
        :param only: the names of topics, which come with those they need; by
            default all
        :param fetched: as for
            :class:`nova_volops_plugin.series.combination.Series`
        :raises Refused: the tree is dirty, has what is asked for, or what it
            has cannot be taken off
        :raises BadInput: the series has no such topic
        :raises Conflict: the topics cannot be made without the others
        :raises DoesNotApply: naming patch, file and hunk
        """
        series = combination.Series(base, fetched)
        wanted = series.names(only)
        with self.locked():
            self.recover()
            self.require_clean()
            before, status = self.head(), self._status(series)
            if status.applied:
                require_more(self.path, series, status, only)
                before = self._below(series, status.topics)
                wanted = series.topics.with_needs(wanted + status.topics)
            self.move(self.stack(series, before, wanted), before)

    def revert(self, base, only=None, fetched=None):
        """Put the tree back to the commit below the series.

        :param only: the names of the topics to take off, by default all
        :raises Refused: the tree is dirty, has no patch of the series or of
            the topics, has others that need these, or has other commits on
            top of them
        """
        series = combination.Series(base, fetched)
        if only is not None:
            series.names(only)
        with self.locked():
            self.recover()
            self.require_clean()
            status = self._status(series)
            left = remaining(self.path, series, status, only)
            if not left:
                self.move(self._start(series), None)
                return
            before = self._below(series, status.topics)
            self.move(self.stack(series, before, left), before)

    def stack(self, series, start, names):
        """Make the commits of topics on a commit; return the last one's id.

        :param series: a :class:`nova_volops_plugin.series.combination.Series`
        :param start: the commit
        :param names: the topics, as ``series.names`` returns them
        :raises Conflict: the topics cannot be made without the others
        :raises DoesNotApply: naming patch, file and hunk
        :raises VolopsError: they do not give the tree that base.conf records
        """
        base = series.base
        made = stack.commits(self.git, start, series.patches(names))
        head = made[-1] if made else start
        wanted = series.recorded(names)
        if wanted and self.git.line(
                'rev-parse', start + '^{tree}') == base.base_tree:
            found = self.git.line('rev-parse', head + '^{tree}')
            if found != wanted:
                raise exceptions.VolopsError(
                    'the series of %s gives the tree %s, but base.conf '
                    'records %s. Nothing was changed. The patches were '
                    'edited by hand or are not whole; see "nova-volops '
                    'patch verify"' % (base.name, found, wanted))
        return head

    def _status(self, series, names=None):
        patches = series.all if names in (None, series.names()) else \
            series.own(names)
        own = self.own(patches)
        tops = self._tops(own)
        found = set().union(*own.values())
        if not found:
            state = 'released'
        elif len(found) == len(patches) and len(tops) == len(own):
            state = 'patched'
        else:
            state = 'changed' if len(found) == len(patches) else 'partly'
        has = {name: [patch.trailer('Change-Id') in found
                      for patch in series.own([name])]
               for name in names or series.names()}
        return Status(
            state, len(found), len(patches), not self.dirty(),
            tuple(name for name in has if all(has[name])),
            tuple(name for name in has
                  if any(has[name]) and not all(has[name])))

    def distance(self, base):
        """Say how far what is below the series is from the release.

        :returns: as :func:`release.distance` does
        """
        own = list(self.own(series_patch.load(base)))
        return release.distance_of_commit(
            base, self.git, own[-1] + '^' if own else 'HEAD')

    def _start(self, series):
        """Return the commit below the series' commits.

        :raises Refused: the tree has none, or others between or on top
        """
        if self.head() == self.applied():
            return self.before()
        own = self.own(series.all)
        tops = self._tops(own)
        if not own:
            raise Refused('%s has no patch of %s; there is nothing to '
                          'take off' % (self.path, series.base.name))
        if len(tops) < len(own):
            commits = list(own)
            raise Refused(
                '%s has other commits on top of the series or between '
                'its patches. Move them off first: "git rebase --onto '
                '%s^ %s"' % (self.path, commits[-1], commits[0]))
        return self.git.line('rev-parse', tops[-1] + '^')

    def _below(self, series, topics):
        """Return the same where the commits may be made anew.

        :raises Refused: as above, or they are not as the series has them
        """
        start = self._start(series)
        if self.head() != self.applied() and self.git.line(
                'rev-parse', self.stack(series, start, topics) +
                '^{tree}') != self.tree():
            raise Refused(
                '%s has commits of the series that were changed; write them '
                'down by "nova-volops patch export", or take them off first '
                'by "nova-volops patch revert"' % self.path)
        return start

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

    def own(self, patches):
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


def require_more(path, series, status, only):
    """Require that topics can be added to those that a tree has.

    :param path: the tree's
    :param series: a :class:`nova_volops_plugin.series.combination.Series`
    :param status: the tree's :class:`Status`
    :param only: as for :meth:`Checkout.apply`
    :raises Refused: it has them, or has others in part
    """
    if only is not None and set(series.names(only)) <= set(status.topics):
        raise Refused(
            '%s has %s of %s already; see "nova-volops patch status"' %
            (path, ' and '.join(only), series.base.name))
    if status.partly or not status.topics or \
            status.applied == status.total:
        raise Refused(
            '%s has %d of the %d patches of %s already; see "nova-volops '
            'patch status", or take them off first by "nova-volops patch '
            'revert"' % (path, status.applied, status.total,
                         series.base.name))


def remaining(path, series, status, only):
    """Return the topics that a tree keeps when others are taken off.

    :param path: as in :func:`require_more`, so are the others
    :raises Refused: it has none of these, others that need them, or other
        ones in part
    """
    if only is None:
        return ()
    there = set(status.topics + status.partly)
    for name in only:
        if name not in there:
            raise Refused('%s does not have %s of %s; it has %s' % (
                path, name, series.base.name,
                ', '.join(status.topics + status.partly) or 'no topic'))
    needing = [name for name in series.topics.needing(only) if name in there]
    if needing:
        raise Refused(
            '%s has %s, which cannot be without %s; name it in --only, too' %
            (path, ' and '.join(needing), ' and '.join(only)))
    partly = [name for name in status.partly if name not in only]
    if partly:
        raise Refused(
            '%s has a part of %s; take that off, too, or complete it first' %
            (path, ' and '.join(partly)))
    return tuple(name for name in status.topics if name not in only)
