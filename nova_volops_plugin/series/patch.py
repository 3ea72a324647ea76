# SPDX-License-Identifier: Apache-2.0

"""A patch file: its message, its trailers, its files."""

import dataclasses
import email.headerregistry
import email.parser
import email.policy
import functools
import pathlib
import re

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import series_file

_MODES = ('100644', '100755')
_TRAILER = re.compile(r'([A-Z][A-Za-z]*(?:-[A-Za-z]+)*): (.*\S)')
_HUNK = re.compile(r'@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@')
_INDEX = re.compile(r'index ([0-9a-f]+)\.\.([0-9a-f]+)(?: 100(?:644|755))?')
# To read "From" as an address fails on a strange one.
_POLICY = email.policy.EmailPolicy(
    header_factory=email.headerregistry.HeaderRegistry(use_default_map=False))


@dataclasses.dataclass(frozen=True)
class Change:
    """What a patch does to one file.

    :param path: in Nova's tree
    :param old: the blob id before, of zeros only for a new file
    :param new: the blob id after, of zeros only for a deleted file
    :param added: (line in the patch file, text without the ``+``) of each
        added line
    :param hunks: the old line number of each hunk's start
    :param ranges: the first line of each hunk in the patch file, from 0, and
        the one after its last
    :param mode: the mode that the file gets, '' where it keeps its own
    :param is_new: whether git is told to make the file
    :param is_deleted: whether it is told to delete it
    """

    path: str
    old: str
    new: str
    added: tuple
    hunks: tuple
    ranges: tuple
    mode: str
    is_new: bool
    is_deleted: bool

    @property
    def creates(self):
        return not self.old.strip('0')


class Patch:
    """A patch file as ``git format-patch`` writes it.

    :param path: its :class:`pathlib.Path`
    :param content: bytes, by default those of the file
    :raises BadInput: it cannot be read, or it would touch something that is
        not a plain file of the tree
    """

    def __init__(self, path, content=None):
        self.path = pathlib.Path(path)
        self.content = files.read(self.path) if content is None else content
        text = self.content.decode('utf-8', errors='surrogateescape')
        self.lines = text.split('\n')
        starts = (number for number, line in enumerate(self.lines)
                  if line == '---' or line.startswith('diff --git '))
        self._end = next(starts, len(self.lines))
        self._message = '\n'.join(self.lines[:self._end]).partition('\n\n')
        self.changes = tuple(self._changes())
        if not self.changes:
            raise exceptions.BadInput(
                '%s changes nothing; it is empty or no patch' % self.path)

    @property
    def name(self):
        return self.path.name

    @property
    def diff(self):
        """The part below the message, bytes."""
        return '\n'.join(self.lines[self._end:]).encode(
            'utf-8', errors='surrogateescape')

    @property
    def changed_lines(self):
        """The lines added and taken away with their signs, and the files."""
        return [line for line in self.lines[self._end:]
                if line.startswith(('+', '-'))]

    @functools.cached_property
    def _header(self):
        return email.parser.HeaderParser(policy=_POLICY).parsestr(
            self._message[0])

    @property
    def author(self):
        # Git quotes a name that has a full stop.
        return self._header.get('From', '').replace('"', '')

    @property
    def date(self):
        return self._header.get('Date', '')

    @property
    def subject(self):
        return re.sub(r'^\[PATCH[^]]*\] ', '',
                      self._header.get('Subject', ''))

    @property
    def body(self):
        """The message below the subject, a list of lines."""
        return self._message[2].rstrip('\n').split('\n')

    @property
    def trailers(self):
        """(name, value) of each line of the last block, if it is one."""
        found = []
        for line in reversed(self.body):
            match = _TRAILER.fullmatch(line)
            if not match:
                return found[::-1] if not line else []
            found.append(match.groups())
        return found[::-1]

    def trailer(self, name):
        """Return a trailer's value, None when there is none."""
        return dict(self.trailers).get(name)

    def hunk(self, path, line):
        """Return the number (from 1) of the hunk at an old line, or None."""
        for change in self.changes:
            if change.path == path and line in change.hunks:
                return change.hunks.index(line) + 1
        return None

    def _refuse(self, number, why):
        raise exceptions.BadInput(
            '%s, line %d: %s' % (self.path, number + 1, why))

    def _changes(self):
        number = self._end
        while number < len(self.lines):
            if self.lines[number].startswith('diff --git '):
                number, change = self._change(number)
                yield change
            elif self.lines[number].startswith(('--- ', '+++ ', '@@ ')):
                self._refuse(number, 'a change without its "diff --git" '
                                     'line; make patches by "git '
                                     'format-patch"')
            else:
                number += 1

    def _change(self, number):
        match = re.fullmatch(r'diff --git a/(\S+) b/(\S+)',
                             self.lines[number])
        if not match or match[1] != match[2]:
            self._refuse(number, 'it renames a file or names a strange one; '
                                 'export writes patches without renames')
        path = self._safe(match[1], number)
        old = new = mode = ''
        is_new = is_deleted = False
        sides = []
        number += 1
        while number < len(self.lines):
            line = self.lines[number]
            if line.startswith(('old mode ', 'new mode ', 'new file mode ',
                                'deleted file mode ')):
                if line.split()[-1] not in _MODES:
                    self._refuse(number, '%s is no plain file; links and '
                                         'submodules are refused' % path)
                is_new = is_new or line.startswith('new file ')
                is_deleted = is_deleted or line.startswith('deleted ')
                if line.startswith('new '):
                    mode = line.split()[-1]
            elif found := _INDEX.fullmatch(line):
                old, new = found.groups()
            elif line.startswith(('--- ', '+++ ')):
                if line != _side(line[:4], path, is_new, is_deleted):
                    self._refuse(number, 'it names %r below the heading of '
                                         '%s' % (line[4:84], path))
                sides.append(line[:3])
            elif line.startswith(('rename ', 'copy ', 'GIT binary',
                                  'Binary ')):
                self._refuse(number, 'renames, copies and binary changes '
                                     'are refused')
            else:
                break
            number += 1
        hunks, ranges, added = [], [], []
        while number < len(self.lines):
            found = _HUNK.match(self.lines[number])
            if not found:
                break
            if sides != ['---', '+++']:
                self._refuse(number, 'a hunk needs the lines "--- FILE" and '
                                     '"+++ FILE" above it')
            hunks.append(int(found[1]))
            end = self._hunk(number, found, added)
            ranges.append((number, end))
            number = end
        return number, Change(
            path, old, new, tuple(added), tuple(hunks), tuple(ranges), mode,
            is_new, is_deleted)

    def _hunk(self, number, found, added):
        """Read one hunk; return the line after it."""
        start = number
        before, after = (int(found[group] or 1) for group in (2, 4))
        number += 1
        while before > 0 or after > 0:
            line = self.lines[number] if number < len(self.lines) else ''
            sign = line[:1]
            if sign == '+':
                added.append((number + 1, line[1:]))
            elif sign not in ('-', ' ', '\\'):
                self._refuse(start, 'this hunk ends too early; the patch is '
                                    'truncated')
            before -= sign in ('-', ' ')
            after -= sign in ('+', ' ')
            number += 1
        if self.lines[number:number + 1] and \
                self.lines[number].startswith('\\'):
            number += 1
        return number

    def _safe(self, path, number):
        parts = path.split('/')
        if (path.startswith('"') or '\\' in path or
                any(part in ('', '.', '..') or part.lower() == '.git'
                    for part in parts)):
            self._refuse(number, 'it touches %r, which is not a plain path '
                                 'inside the tree' % path[:80])
        return path


def _side(sign, path, is_new, is_deleted):
    """Return the line that names the file before or after."""
    if sign == '--- ':
        return sign + ('/dev/null' if is_new else 'a/' + path)
    return sign + ('/dev/null' if is_deleted else 'b/' + path)


def load(base):
    """Return a base's patches in their order.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :returns: a list of :class:`Patch`
    :raises BadInput: the series or a patch is malformed
    """
    names = series_file.SeriesFile.load(base.path / 'series').patches
    return [Patch(base.path / name) for name in names]
