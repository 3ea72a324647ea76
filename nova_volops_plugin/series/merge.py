# SPDX-License-Identifier: Apache-2.0

"""Merges three versions of a text, line by line.

Git refuses to merge edits of neighbouring lines, and two numbers where the
greater one is meant. Topics of a series meet in both ways: each adds its lines
next to those of another, and raises the last microversion.
"""

import difflib
import pathlib
import re
import tempfile

_HUNK = re.compile(rb'(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@')
_VERSION = re.compile(rb'(?<![\d.])(\d+)\.(\d+)(?![\d.])')


def merge(git, base, ours, theirs, rules=()):
    """Merge the difference of two texts into a third.

    Releases differ much, and "git merge-file" takes one function for another
    then; lines are matched by those that come once in both texts.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param base: what both others were made of, bytes
    :param ours: one of them
    :param theirs: the other one
    :param rules: functions of the three versions of a conflict, such as
        :func:`neighbours`, that return the merged one, or None
    :returns: the merged text, and how many conflicts are marked in it; a
        binary file is one conflict, and the text is ``ours``
    """
    if any(b'\0' in text for text in (base, ours, theirs)):
        return ours, 1
    merged, conflicts = [], 0
    for part in _parts(git, base, ours, theirs):
        if isinstance(part, bytes):
            merged.append(part)
            continue
        resolved = next(filter(lambda text: text is not None, (
            rule(*part) for rule in rules)), None)
        if resolved is None:
            conflicts += 1
            base, ours, theirs = (
                side + b'\n' * (side != b'' and not side.endswith(b'\n'))
                for side in part)
            resolved = (b'<<<<<<< ours\n%s||||||| base\n%s=======\n%s'
                        b'>>>>>>> theirs\n' % (ours, base, theirs))
        merged.append(resolved)
    return b''.join(merged), conflicts


def _parts(git, base, ours, theirs):
    """Yield what is merged, bytes, and conflicts, a tuple of three bytes."""
    lines = base.splitlines(keepends=True)
    edits = sorted(
        (start, end, new, side)
        for side, text in enumerate((ours, theirs))
        for start, end, new in _edits(git, base, text))
    done = 0
    while edits:
        start, end, _new, _side = edits[0]
        here = []
        # Edits that touch are one conflict.
        while edits and (edits[0][0] <= end):
            here.append(edits.pop(0))
            end = max(end, here[-1][1])
        yield b''.join(lines[done:start])
        done = end
        sides = [_edited(lines, start, end, [
            edit[:3] for edit in here if edit[3] == side])
            for side in (0, 1)]
        before = b''.join(lines[start:end])
        if sides[0] == sides[1] or len({edit[3] for edit in here}) == 1:
            yield sides[here[0][3]]
        else:
            yield (before, *sides)
    yield b''.join(lines[done:])


def _edited(lines, start, end, edits):
    """Return some of the lines after edits, bytes."""
    found = []
    for first, last, new in edits:
        found += [*lines[start:first], *new]
        start = last
    return b''.join(found + lines[start:end])


def _edits(git, old, new):
    """Return what makes one text of another.

    :returns: a list of the first line and the one after the last that is
        replaced, and the lines that are there instead
    """
    lines = new.splitlines(keepends=True)
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        names = [pathlib.Path(folder) / name for name in ('old', 'new')]
        for name, text in zip(names, (old, new)):
            name.write_bytes(text)
        shown = git.attempt(
            'diff', '--no-index', '--no-color', '--no-ext-diff', '--text',
            '--patience', '--unified=0', *names).stdout
    found = []
    for numbers in _HUNK.findall(shown):
        start, count, other, others = (
            int(number or 1) for number in numbers)
        # Of no lines, git names the one before.
        start, other = start - bool(count), other - bool(others)
        found.append((start, start + count, lines[other:other + others]))
    return found


class Resolutions:
    """A rule: resolves a conflict as one of the same lines was resolved.

    Indentation does not count, for releases differ in it.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param base: of the texts that had the conflicts
    :param ours: so is this
    :param theirs: and this
    :param resolved: what they were merged into by hand
    """

    def __init__(self, git, base, ours, theirs, resolved):
        self._known = {}
        text, conflicts = b'', {}
        for part in _parts(git, base, ours, theirs):
            if isinstance(part, bytes):
                text += part
            else:
                number = text.count(b'\n')
                conflicts[number, number + 1] = part
                # No line of a text is like this.
                text += b'\0conflict %d\n' % number
        for start, end, new in _edits(git, text, resolved):
            if (start, end) in conflicts:
                self._learn(conflicts[start, end], b''.join(new))

    def _learn(self, sides, text):
        width = _indentation(sides)
        if width <= _indentation([text]):
            self._known[_dedented(sides, width)] = \
                _dedented([text], width)[0]

    def __call__(self, base, ours, theirs):
        """Return the merged lines, None where the conflict is not known."""
        sides = base, ours, theirs
        width = _indentation(sides)
        text = self._known.get(_dedented(sides, width))
        return text and re.sub(rb'(?m)^(?=.)', b' ' * width, text)


def _indentation(texts):
    return min((len(found) for text in texts for found in re.findall(
        rb'(?m)^ *(?=[^ \n])', text)), default=0)


def _dedented(texts, width):
    return tuple(re.sub(rb'(?m)^ {%d}' % width, b'', text) for text in texts)


def neighbours(base, ours, theirs):
    """Merge edits that touch and do not overlap.

    :returns: the merged lines, None where they overlap or both add something
        at the same place
    """
    lines = base.splitlines(keepends=True)
    edits = []
    for text in (ours, theirs):
        other = text.splitlines(keepends=True)
        matcher = difflib.SequenceMatcher(None, lines, other, autojunk=False)
        edits.append([
            (start, end, other[first:last])
            for kind, start, end, first, last in matcher.get_opcodes()
            if kind != 'equal'])
    theirs_only = [edit for edit in edits[1] if edit not in edits[0]]
    for start, end, _new in edits[0]:
        for other_start, other_end, _other in theirs_only:
            if (start < other_end and other_start < end) or (
                    start == end == other_start == other_end):
                return None
    for start, end, new in sorted(
            edits[0] + theirs_only, key=lambda edit: edit[:2], reverse=True):
        lines[start:end] = new
    return b''.join(lines)


def greater_version(base, ours, theirs):
    """Merge lines that differ in version numbers only: the greater ones.

    :returns: the merged lines, None where they differ in something else
    """
    if len({_VERSION.sub(b'\0', text) for text in (base, ours, theirs)}) > 1:
        return None
    others = iter(_VERSION.findall(ours))
    return _VERSION.sub(
        lambda match: b'%s.%s' % max(
            match.groups(), next(others),
            key=lambda version: tuple(map(int, version))), theirs)
