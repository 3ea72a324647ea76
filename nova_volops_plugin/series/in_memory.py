# SPDX-License-Identifier: Apache-2.0

"""Applies patches in memory, much faster than git processes do.

A patch is taken only where each hunk fits at the very line it names, so that
``git apply`` would take it too and give the same files. It is for git to say
what becomes of any other.
"""

import re

_HUNK = re.compile(r'@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@')
_PLAIN = ('100644', '100755')


class Unsure(Exception):
    """A patch does not fit to the line; ask git."""


class Files:
    """The files of a commit, for patches to change.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param start: a commit or tree
    :param patches: the :class:`nova_volops_plugin.series.patch.Patch` that
        :meth:`put` will get
    """

    def __init__(self, git, start, patches):
        touched = {change.path for patch in patches
                   for change in patch.changes}
        self._modes = {}
        self._folders = set()
        self._lines = {}
        blobs = {}
        for entry in git.lines('ls-tree', '-r', '-z', '--full-tree', start):
            attributes, path = entry.split('\t', 1)
            mode, _kind, blob = attributes.split()
            self._add(path, mode)
            if path in touched:
                blobs[path] = blob
        for path, content in zip(blobs, git.objects(blobs.values())):
            self._lines[path] = _lines(content.decode(
                errors='surrogateescape'))

    def put(self, patch):
        """Change the files as a patch does.

        :raises Unsure: a hunk does not fit to the line; some of the files
            may be changed
        """
        for change in patch.changes:
            path = change.path
            if not (change.ranges or change.is_new or change.is_deleted):
                raise Unsure
            if change.is_new:
                self._require_free(path)
                self._add(path, change.mode)
                self._lines[path] = []
            elif change.mode or self._modes.get(path) not in _PLAIN:
                raise Unsure
            least = 0
            for first, last in change.ranges:
                least = _put_hunk(
                    self._lines[path], patch.lines[first:last], least)
            if change.is_deleted:
                if self._lines.pop(path):
                    raise Unsure
                del self._modes[path]

    def file(self, path):
        """Return the mode and the bytes of a file, None if it is not there.

        :param path: one that a patch changes
        """
        if path not in self._lines:
            return None
        return self._modes[path], ''.join(self._lines[path]).encode(
            errors='surrogateescape')

    def _add(self, path, mode):
        self._modes[path] = mode
        self._folders.update(_parents(path))

    def _require_free(self, path):
        if path in self._modes or path in self._folders or any(
                parent in self._modes for parent in _parents(path)):
            raise Unsure


def _parents(path):
    while '/' in path:
        path = path.rpartition('/')[0]
        yield path


def _lines(text):
    """Return the lines, each with its end if it has one."""
    *whole, rest = text.split('\n')
    return [line + '\n' for line in whole] + [rest] * bool(rest)


def _put_hunk(lines, hunk, least):
    """Change a list of lines; return the number of lines that are done.

    :param hunk: the heading and the lines of the patch
    :param least: what it returned for the hunk before
    """
    start, old_count, new_start, new_count = (
        1 if found is None else int(found)
        for found in _HUNK.match(hunk[0]).groups())
    old, new = [], []
    sides = {' ': (old, new), '-': (old,), '+': (new,)}
    changed, context_after = (), 0
    for line in hunk[1:]:
        if line.startswith('\\'):
            for side in changed:
                side[-1] = side[-1].removesuffix('\n')
            continue
        changed = sides[line[0]]
        for side in changed:
            side.append(line[1:] + '\n')
        context_after = context_after + 1 if line[0] == ' ' else 0
    at = max(new_start - 1, 0)
    end = at + len(old)
    # Like git, take a hunk without lines before or after it for one of the
    # beginning or the end, and none that changes nothing.
    if (len(old), len(new)) != (old_count, new_count) or old == new or (
            at < least) or (start <= 1 and at) or (
            not context_after and end != len(lines)) or lines[at:end] != old:
        raise Unsure
    lines[at:end] = new
    return at + len(new)
