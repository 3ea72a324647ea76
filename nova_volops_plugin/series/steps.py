# SPDX-License-Identifier: Apache-2.0

"""Commits as steps from one state of the files to the next."""

import copy
import dataclasses
import datetime

from nova_volops_plugin.bases import fast_import
from nova_volops_plugin.series import numbering

_FORMAT = '%x1f'.join((
    '%H', '%T', '%an', '%ae', '%aI', '%s',
    '%(trailers:key=Change-Id,valueonly,separator=%x20)', '%B'))


@dataclasses.dataclass(frozen=True)
class Step:
    """One commit.

    :param key: what tells that it is the same change as another commit, as
        :func:`nova_volops_plugin.series.numbering.key` does for patches
    :param tree: the git tree id after it
    :param by: name, e-mail address and date of its author
    :param subject: the first line of its message
    :param message: the whole one
    :param changes: a dict of path and the two entries, before and after: each
        a tuple of mode and blob id, None for no such file
    """

    key: str
    tree: str
    by: tuple
    subject: str
    message: str
    changes: dict


class Steps:
    """Commits in their order, and what the files are between them.

    :param git: a :class:`nova_volops_plugin.bases.git.Git` that has them
    :param start: the commit before the first one
    :param end: the last one
    """

    def __init__(self, git, start, end):
        self.git = git
        self.start = start
        self.end = end
        self._released = None
        self.steps = []
        records = git.run(
            'log', '--reverse', '--first-parent', '-z', '--format=' + _FORMAT,
            '%s..%s' % (start, end)).decode(errors='surrogateescape')
        commits = []
        for record in filter(None, records.split('\0')):
            commit, tree, name, mail, date, subject, change, message = \
                record.split('\x1f', 7)
            commits.append(commit)
            self.steps.append(Step(
                change.strip() or numbering.slug(subject), tree,
                (name, mail, date), subject, message, {}))
        if commits:
            self._read_changes(commits)
        self.number = {step.key: number
                       for number, step in enumerate(self.steps)}

    def _read_changes(self, commits):
        words = iter(self.git.run(
            'diff-tree', '--stdin', '-m', '--first-parent', '-r', '-z',
            '--raw', '--no-renames', '--no-abbrev',
            stdin='\n'.join(commits + ['']).encode()).decode(
                errors='surrogateescape').split('\0'))
        steps = iter(self.steps)
        step = None
        for word in words:
            if not word:
                continue
            if not word.startswith(':'):
                step = next(steps)
                continue
            old_mode, new_mode, old, new, _kind = word[1:].split(' ')
            step.changes[next(words)] = (
                (old_mode, old) if old.strip('0') else None,
                (new_mode, new) if new.strip('0') else None)

    def renumbered(self, numbers, paths):
        """Return the same steps with other microversions.

        They are in messages, file names and files. Files of the release that
        have a renumbered path of the series are not there: the other release
        has no such files. Tree ids stay what they were.

        :param numbers: a :class:`nova_volops_plugin.series.renumber.Numbers`
        :param paths: the files whose content matters, a set of str; others
            keep theirs
        """
        touched = {path for step in self.steps for path in step.changes}
        entries = {entry for step in self.steps
                   for path, both in step.changes.items() if path in paths
                   for entry in both}
        entries.update(self.released.get(path) for path in touched & paths)
        blobs = self._renumbered_blobs(
            numbers, sorted({entry[1] for entry in entries if entry}))

        def moved(path, entry):
            return entry and (entry[0], blobs[entry[1]]) \
                if path in paths else entry

        def text(text):
            return numbers.text(_bytes(text)).decode(
                errors='surrogateescape')

        other = copy.copy(self)
        other._released = dict(self.released)
        for path in {numbers.path(path) for path in touched} - touched:
            other._released.pop(path, None)
        for path in touched & self.released.keys():
            other._released.pop(path, None)
        for path in touched & self.released.keys():
            other._released[numbers.path(path)] = moved(
                path, self.released[path])
        other.steps = [dataclasses.replace(
            step, subject=text(step.subject), message=text(step.message),
            changes={
                numbers.path(path): (moved(path, before), moved(path, after))
                for path, (before, after) in step.changes.items()})
            for step in self.steps]
        return other

    def _renumbered_blobs(self, numbers, blobs):
        """Write the files with other numbers; map the ids of blobs."""
        changed = {}
        for blob, old in zip(blobs, self.git.objects(blobs)):
            new = numbers.text(old)
            if new != old:
                changed[blob] = new
        return dict(zip(blobs, blobs)) | dict(zip(
            changed, self.git.write_blobs(changed.values())))

    def __iter__(self):
        return iter(self.steps)

    def get(self, key):
        """Return the step of a change, None where there is none."""
        number = self.number.get(key)
        return None if number is None else self.steps[number]

    def before(self, key, path):
        """Return a file's entry before the step of a change."""
        return self._entry(self.number[key], path)

    def after(self, key, path):
        """Return a file's entry after the step of a change."""
        return self._entry(self.number[key] + 1, path)

    def state(self, count):
        """Return all entries after so many steps, a dict of path."""
        state = dict(self.released)
        for step in self.steps[:count]:
            for path, (_before, after) in step.changes.items():
                state[path] = after
        return {path: entry for path, entry in state.items() if entry}

    @property
    def released(self):
        """The entries before the first step, a dict of path."""
        if self._released is None:
            self._released = {}
            for record in self.git.lines('ls-tree', '-r', '-z', self.start):
                mode, _kind, rest = record.split(' ', 2)
                blob, path = rest.split('\t', 1)
                self._released[path] = mode, blob
        return self._released

    def _entry(self, count, path):
        for step in reversed(self.steps[:count]):
            if path in step.changes:
                return step.changes[path][1]
        return self.released.get(path)


class Lines:
    """Tells which lines are taken away and added, wherever they are.

    :param git: as for :class:`Steps`
    """

    def __init__(self, git):
        self._git = git
        self._known = {}
        self._empty = git.line('hash-object', '-w', '--stdin')

    def of(self, entries):
        """Return what differs between two entries of a file."""
        if entries not in self._known:
            self._known[entries] = self._read(*entries)
        return self._known[entries]

    def same(self, step, other):
        """Tell whether two steps change the same lines of the same files."""
        return step.changes.keys() == other.changes.keys() and all(
            entries == other.changes[path] or
            self.of(entries) == self.of(other.changes[path])
            for path, entries in step.changes.items())

    def _read(self, before, after):
        text = self._git.run(
            'diff', '--no-color', '--no-ext-diff', '--unified=0',
            '--diff-algorithm=myers',
            *(entry[1] if entry else self._empty for entry in (before, after)))
        return (before and before[0], after and after[0], tuple(
            line for line in text.split(b'\n')[4:]
            if line[:1] in (b'+', b'-')))


def write(git, start, steps, committer=None):
    """Make commits of steps, on no branch.

    Each has its author's date as its committer's, as
    :func:`nova_volops_plugin.series.stack.commits` makes them.

    :param git: as for :class:`Steps`
    :param start: the commit before the first one
    :param steps: an iterable of :class:`Step`, of whose changes only the
        entries after them count
    :param committer: name and e-mail address, by default the author's
    :returns: the id of the last one, ``start`` where there is no step
    """
    def signed(step):
        *author, date = step.by
        date = datetime.datetime.fromisoformat(date)
        when = '%d %s' % (date.timestamp(), date.strftime('%z'))
        return (*author, when), (*(committer or author), when)

    made = fast_import.commits(git, start, [
        (*signed(step), _bytes(step.message).rstrip(b'\n') + b'\n', {
            path: after for path, (_before, after) in step.changes.items()})
        for step in steps])
    return made[-1] if made else start


def _bytes(text):
    return text.encode(errors='surrogateescape')
