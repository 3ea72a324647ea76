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

# No text has such long ones; "=======" is a heading of many documents.
_LONG = 61
_MARKS = re.compile(
    rb'^<{%(long)d} ours\r?\n(.*?)^\|{%(long)d} base\r?\n(.*?)'
    rb'^={%(long)d}\r?\n(.*?)^>{%(long)d} theirs(?:\r?\n|\Z)' % {
        b'long': _LONG}, re.MULTILINE | re.DOTALL)
_VERSION = re.compile(rb'(?<![\d.])(\d+)\.(\d+)(?![\d.])')


def merge(git, base, ours, theirs, rules=()):
    """Merge the difference of two texts into a third.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param base: what both others were made of, bytes
    :param ours: one of them
    :param theirs: the other one
    :param rules: functions of the three versions of a conflict, such as
        :func:`neighbours`, that return the merged one, or None
    :returns: the merged text, and how many conflicts are marked in it; what
        git takes for binary is one conflict, and the text is ``ours``
    """
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        names = []
        for name, text in (('ours', ours), ('base', base),
                           ('theirs', theirs)):
            names.append(pathlib.Path(folder) / name)
            names[-1].write_bytes(text)
        labels = [word for name in ('ours', 'base', 'theirs')
                  for word in ('-L', name)]
        done = git.attempt(
            'merge-file', '-p', '-q', '--diff3', '--marker-size=%d' % _LONG,
            *labels, *names)
    if not done.returncode:
        return done.stdout, 0
    if not _MARKS.search(done.stdout):
        return ours, 1
    left = 0

    def resolve(match):
        nonlocal left
        ours, base, theirs = match.groups()
        for rule in rules:
            merged = rule(base, ours, theirs)
            if merged is not None:
                return merged
        left += 1
        return b'<<<<<<< ours\n%s||||||| base\n%s=======\n%s>>>>>>> theirs\n' \
            % (ours, base, theirs)

    return _MARKS.sub(resolve, done.stdout), left


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
