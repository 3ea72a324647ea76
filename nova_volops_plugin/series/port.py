# SPDX-License-Identifier: Apache-2.0

"""Ports the series of one base to another, one commit per patch.

Each patch is merged with both releases at hand, by git's own cherry-pick,
which keeps the state of what stops at a conflict.
"""

import dataclasses

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import marks
from nova_volops_plugin.series import misfits
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import renumber
from nova_volops_plugin.series import same_change

# The commits that are merged, so that git keeps them until the end.
SOURCE = 'refs/nova-volops/port'
_WHY = {
    'UU': 'both changed it',
    'AA': 'both added it',
    'DU': 'this release does not have it',
    'UD': 'the patch deletes it',
}


@dataclasses.dataclass(frozen=True)
class Conflict:
    """A file that cannot be merged.

    :param path: in Nova's tree
    :param why: a few words
    :param lines: the numbers of the lines where the sides differ
    :param elsewhere: the names of the other bases whose patch of the same
        change changes the file, a list
    """

    path: str
    why: str
    lines: list
    elsewhere: list


@dataclasses.dataclass(frozen=True)
class State:
    """How far one is.

    :param done: the number of patches that are commits of the tree
    :param left: the number of those that are not, the conflicting one first
    :param subject: that of the conflicting one, None where none is
    :param conflicts: a list of :class:`Conflict`
    :param not_needed: the subjects of patches that change nothing here
    :param misfits: what :func:`misfits.find` finds, once nothing is left
    :param patch: the file name that the conflicting one has in every base
    """

    done: int
    left: int
    subject: str
    conflicts: list
    not_needed: tuple
    misfits: tuple = ()
    patch: str = ''


class Port:
    """Carries a series over to a tree.

    :param base: the :class:`nova_base.Base` it is carried to
    :param tree: its :class:`checkout.Checkout`
    :param root: as in :func:`nova_base.names`
    """

    def __init__(self, base, tree, root=None):
        self._base = base
        self._tree = tree
        self._git = tree.git
        self._root = root

    def begin(self, other, source):
        """Put the patches of another base on the released one.

        :param other: the :class:`nova_base.Base` they are taken from
        :param source: the path of a git tree that has its release
        :returns: a :class:`State`
        :raises Refused: the tree is not the release, or has changes
        """
        if self._is_begun():
            raise checkout.Refused(
                '%s is in the middle of a port; go on with --continue, or '
                'give it up by "git -C %s cherry-pick --abort"' %
                (self._tree.path, self._tree.path))
        self._tree.require_clean()
        released = self._released()
        if self._tree.head() != released:
            raise checkout.Refused(
                '%s has commits after the release; put it back by "git -C '
                '%s reset --hard %s", or keep them on a branch first' %
                (self._tree.path, self._tree.path, self._base.version))
        commits = renumber.commits(
            self._git, other, source,
            renumber.last_microversion(self._git, released))
        self._git.run('update-ref', SOURCE, commits[-1])
        return self._pick('%s..%s' % (commits[0], commits[-1]))

    def go_on(self):
        """Go on after a conflict has been resolved.

        :returns: a :class:`State`
        :raises Refused: there is none, or a file is not fixed
        """
        if not self._is_begun():
            raise checkout.Refused(
                '%s is not in the middle of a port; begin one with --from' %
                self._tree.path)
        marked = [path for _why, path in self._unmerged()
                  if self._marks(path)]
        if marked:
            raise checkout.Refused(
                'there are conflict marks in %s; resolve them first' %
                ', '.join(marked))
        undecided = [path for why, path in self._unmerged()
                     if why not in ('UU', 'AA')]
        if undecided:
            raise checkout.Refused(
                'one side does not have %s; decide by "git add" or "git rm" '
                'in %s' % (', '.join(undecided), self._tree.path))
        for _why, path in self._unmerged():
            self._git.run('add', '--', path)
        left_out = [path for letters, path in self._changes()
                    if letters[1] != ' ']
        if left_out:
            raise checkout.Refused(
                'the patch would not have the changes of %s; add them by '
                '"git add" in %s' % (', '.join(left_out), self._tree.path))
        return self._pick('--continue')

    def take(self, other, source):
        """Change the files in conflict as another base's patch does.

        :param other: the :class:`nova_base.Base` whose patch it is
        :param source: the path of a git tree that has its release
        :returns: as :func:`same_change.merge` does
        :raises Refused: there is no conflict
        """
        if not self._picked():
            raise checkout.Refused(
                '%s has no conflict; begin a port with --from' %
                self._tree.path)
        return same_change.merge(
            self._git, self._base, other, renumber.commits(
                self._git, other, source,
                renumber.last_microversion(self._git, self._released())),
            self._change_id('CHERRY_PICK_HEAD'), self._tree.path)

    def _pick(self, *words):
        """Have git merge until there is a conflict or nothing is left."""
        not_needed = []
        git = self._git.using(
            GIT_EDITOR='true', GIT_COMMITTER_NAME='Nova',
            GIT_COMMITTER_EMAIL='nova@localhost')
        done = git.attempt('cherry-pick', *words)
        while done.returncode and not self._unmerged():
            if not self._picked() or self._changes():
                raise checkout.Refused(
                    'git cannot go on in %s: %s' % (
                        self._tree.path,
                        done.stderr.decode(errors='replace').strip()))
            not_needed.append(self._subject('CHERRY_PICK_HEAD'))
            done = git.attempt('cherry-pick', '--skip')
        return self._state(tuple(not_needed))

    def _state(self, not_needed):
        made = int(self._git.line(
            'rev-list', '--count', self._released() + '..HEAD'))
        if not self._picked():
            return State(made, 0, None, [], not_needed, tuple(misfits.find(
                self._git, 'HEAD', SOURCE, self._released())))
        picked = self._git.line('rev-parse', 'CHERRY_PICK_HEAD')
        self._name_sides(self._subject(picked))
        same = self._same_elsewhere(picked)
        left = 1 + int(self._git.line(
            'rev-list', '--count', '%s..%s' % (picked, SOURCE)))
        return State(
            made, left, self._subject(picked), self._conflicts(same),
            not_needed, patch=same[0][1].name if same else '')

    def _conflicts(self, same):
        return [
            Conflict(path, _WHY.get(why, why), self._marks(path), [
                name for name, patch in same
                if any(change.path == path for change in patch.changes)])
            for why, path in self._unmerged()]

    def _name_sides(self, subject):
        """Have the marks of conflicts name the releases and the patch."""
        released = self._git.line(
            'log', '--max-parents=0', '--format=%T', SOURCE)
        for other in nova_base.load_all(self._root):
            if other.base_tree == released:
                words = marks.labels(self._base, other, subject)
                for _why, path in self._unmerged():
                    if self._marks(path):
                        marks.rewrite(self._tree.path / path, words)

    def _same_elsewhere(self, picked):
        """Return pairs of a base's name and its patch of the same change."""
        change = self._change_id(picked)
        return [
            (base.name, patch) for base in nova_base.load_all(self._root)
            if base.name != self._base.name
            for patch in series_patch.load(base)
            if patch.trailer('Change-Id') == change]

    def _unmerged(self):
        """Return pairs of git's two letters and the path."""
        return [
            (letters, path) for letters, path in self._changes()
            if 'U' in letters or letters in ('AA', 'DD')]

    def _changes(self):
        """Return pairs of git's two letters and the path."""
        return [
            (line[:2], line[3:]) for line in self._git.lines(
                'status', '--porcelain', '-z', '--no-renames',
                '--untracked-files=no')]

    def _marks(self, path):
        """Return the numbers of the lines where conflicts begin."""
        file = self._tree.path / path
        if not file.is_file():
            return []
        return [number for number, line in enumerate(
            file.read_bytes().splitlines(), 1) if marks.BEGIN.match(line)]

    def _change_id(self, commit):
        return self._git.line(
            'show', '--no-patch',
            '--format=%(trailers:key=Change-Id,valueonly)', commit)

    def _subject(self, commit):
        return self._git.line('show', '--no-patch', '--format=%s', commit)

    def _released(self):
        return repository.commit(self._git, self._base)

    def _picked(self):
        """Tell whether a patch waits for its commit."""
        return self._git.succeeds(
            'rev-parse', '--verify', '--quiet', 'CHERRY_PICK_HEAD')

    def _is_begun(self):
        # Who commits the patch by hand leaves git's list of the others.
        return self._picked() or (self._tree.path / self._git.line(
            'rev-parse', '--git-path', 'sequencer')).is_dir()
