# SPDX-License-Identifier: Apache-2.0

"""Replays a series' steps on another state of the files."""

import dataclasses

from nova_volops_plugin.series import merge
from nova_volops_plugin.series import steps as series_steps


@dataclasses.dataclass(frozen=True)
class Conflict:
    """A file that cannot be merged in a step.

    :param path: in Nova's tree
    :param content: the text with git's conflict marks, bytes; None where one
        side does not have the file
    :param why: a few words
    """

    path: str
    content: bytes
    why: str


class Stopped(Exception):
    """A step has conflicts.

    :param key: that of the step
    :param subject: the first line of its message
    :param state: the entries of the files before it, a dict of path
    :param changes: what could be merged: a dict of path and entry
    :param conflicts: a list of :class:`Conflict`
    """

    def __init__(self, step, state, changes, conflicts):
        super().__init__(step.subject)
        self.key = step.key
        self.subject = step.subject
        self.state = state
        self.changes = changes
        self.conflicts = conflicts


class Unmerged(Exception):
    """A file cannot be merged; holds its :class:`Conflict`."""

    def __init__(self, conflict):
        super().__init__(conflict.path)
        self.conflict = conflict


class Merger:
    """Merges entries of files: a tuple of mode and blob id, or None.

    :param git: a :class:`nova_volops_plugin.bases.git.Git` that has the blobs
    :param rules: a function of a path that returns the rules of
        :func:`nova_volops_plugin.series.merge.merge`, by default none
    """

    def __init__(self, git, rules=lambda path: ()):
        self._git = git
        self._rules = rules

    def merge(self, path, base, ours, theirs, rules=()):
        """Return the entry that has the changes of both sides.

        :param rules: rules for this file, before those for all
        :raises Unmerged: they cannot be merged
        """
        if theirs == base or theirs == ours:
            return ours
        if ours == base:
            return theirs
        if not ours or not theirs:
            raise Unmerged(Conflict(
                path, None, 'one side changes it, the other deletes it'))
        mode = theirs[0] if ours[0] in (theirs[0], (base or ours)[0]) \
            else ours[0]
        text, left = merge.merge(
            self._git, self.text(base), self.text(ours), self.text(theirs),
            (*rules, *self._rules(path)))
        if left:
            raise Unmerged(Conflict(
                path, text, 'both change it' if base else 'both add it'))
        return mode, self.write(text)

    def resolutions(self, base, ours, theirs, resolved):
        """Return a rule: how the conflicts of a merge were resolved."""
        return merge.Resolutions(self._git, *map(
            self.text, (base, ours, theirs, resolved)))

    def merge_texts(self, base, ours, theirs):
        """Merge three str; return the merged one and how many conflicts."""
        text, left = merge.merge(self._git, *(
            each.encode(errors='surrogateescape')
            for each in (base, ours, theirs)))
        return text.decode(errors='surrogateescape'), left

    def text(self, entry):
        """Return the content of an entry, bytes."""
        return self._git.run('cat-file', 'blob', entry[1]) if entry else b''

    def write(self, text):
        """Return the id of a blob that holds bytes."""
        return self._git.run(
            'hash-object', '-w', '--stdin', stdin=text).decode().strip()


class Replay:
    """Steps that are made one after the other, from a first state.

    :param merger: a :class:`Merger`
    :param released: the entries before the first step, a dict of path
    :param resolutions: what conflicts became: a dict of (key, path) and entry
    """

    def __init__(self, merger, released, resolutions=None):
        self.merger = merger
        self._state = dict(released)
        self._resolutions = resolutions or {}
        self.steps = []

    def entry(self, path):
        """Return a file's present entry, None for no such file."""
        return self._state.get(path)

    def pick(self, step):
        """Make a step that was one on another state.

        :raises Stopped: it has conflicts
        """
        self.make(step, {
            path: lambda path=path, entries=entries: self.merger.merge(
                path, entries[0], self.entry(path), entries[1])
            for path, entries in step.changes.items()})

    def make(self, step, files):
        """Make a step.

        :param step: whose message and author it has
        :param files: a dict of path and function that returns the file's
            entry after the step, or raises :class:`Unmerged`; the
            resolutions of the step come before them
        :raises Stopped: it has conflicts
        """
        resolved = {path: lambda entry=entry: entry for (key, path), entry
                    in self._resolutions.items() if key == step.key}
        changes, conflicts = {}, []
        for path, wanted in sorted({**files, **resolved}.items()):
            before = self.entry(path)
            try:
                after = wanted()
            except Unmerged as error:
                conflicts.append(error.conflict)
                continue
            if after != before:
                changes[path] = before, after
        if conflicts:
            raise Stopped(step, self._present(), {
                path: after for path, (_before, after) in changes.items()},
                conflicts)
        self._state.update(
            {path: after for path, (_before, after) in changes.items()})
        if changes:
            self.steps.append(dataclasses.replace(step, changes=changes))

    def become(self, step, state):
        """Make a step that leads to a state, a dict of path and entry."""
        present = self._present()
        self.make(step, {
            path: lambda entry=state.get(path): entry
            for path in present.keys() | state.keys()
            if present.get(path) != state.get(path)})

    def write(self, git, start):
        """Return the id of the last commit of the steps made so far."""
        return series_steps.write(git, start, self.steps)

    def _present(self):
        return {path: entry for path, entry in self._state.items() if entry}
