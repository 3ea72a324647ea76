# SPDX-License-Identifier: Apache-2.0

"""The labels of conflict markers: the release and patch of each side."""

import re

BEGIN = re.compile(rb'^<<<<<<< ', re.MULTILINE)
# As cherry-pick labels them; what the file itself has may look similar.
_PICKED = (
    re.compile(rb'^(<<<<<<<) HEAD$', re.MULTILINE),
    re.compile(rb'^(\|\|\|\|\|\|\|) parent of [0-9a-f]+ \(.*\)$',
               re.MULTILINE),
    re.compile(rb'^(>>>>>>>) [0-9a-f]+ \(.*\)$', re.MULTILINE),
)


def labels(base, other, subject):
    """Return what the marks say of both sides and what they come from.

    :param base: the :class:`nova_volops_plugin.bases.base.Base` whose release
        is changed
    :param other: the one whose patch is merged
    :param subject: the patch's
    :returns: three str: this side, the other one before its patch, after it
    """
    ours, theirs = ('%s (nova %s)' % (each.name, each.version)
                    for each in (base, other))
    return ours, theirs, '%s: %s' % (theirs, subject)


def rewrite(file, words):
    """Have the marks that ``git cherry-pick`` has written say other words.

    :param file: the :class:`pathlib.Path` of a file in conflict
    :param words: what :func:`labels` returns
    """
    content = old = file.read_bytes()
    for mark, word in zip(_PICKED, words):
        content = mark.sub(
            lambda match, word=word: match[1] + b' ' + word.encode(), content)
    if content != old:
        file.write_bytes(content)
