# SPDX-License-Identifier: Apache-2.0

"""The commits of one base's series with the microversions of another.

A series takes the microversions that follow the last one of its release. Its
commits, with other numbers in their messages, files and paths, can be merged
into another release without a conflict about them.
"""

import dataclasses
import re

from nova_volops_plugin.bases import microversion
from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import steps as series_steps


def last_microversion(git, tree):
    """Return the minor number of the last microversion of a tree, an int.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param tree: a commit or tree
    """
    source = git.run('show', '%s:%s' % (tree, microversion.PATH))
    return _minor(microversion.last(source.decode()))


class Numbers:
    """Gives microversions other numbers.

    :param moved: a dict of minor numbers, int
    """

    def __init__(self, moved):
        self._moved = {b'%d' % old: b'%d' % new for old, new in moved.items()
                       if old != new}
        # As 2.105, 2_105 and 2105 are written; not in a longer number or an
        # id such as the Change-Id.
        self._pattern = re.compile(
            rb'(?<![\da-f.])2([._]?)(%s)(?![\da-f])' % b'|'.join(self._moved))

    def text(self, text):
        """Return a text, bytes, with the other numbers."""
        # To look for the digits first is ten times as fast.
        if not any(old in text for old in self._moved):
            return text
        return self._pattern.sub(
            lambda match: b'2' + match[1] + self._moved[match[2]], text)

    def path(self, path):
        return self.text(path.encode()).decode()


def following(old, count, new):
    """Return the :class:`Numbers` that follow another release's last one.

    :param old: the last microversion of the release the series is for, its
        minor number
    :param count: how many microversions the series adds
    :param new: the last one of the other release
    """
    # The release's own last one too: the series changes it to the next.
    return Numbers({old + nth: new + nth for nth in range(count + 1)})


def between(base, other):
    """Return the :class:`Numbers` that one base's features have in another.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param other: the other one
    """
    pairs = [(base.microversions[1], other.microversions[1])]
    pairs += [(version, other.features[feature])
              for feature, version in base.features.items()]
    pairs += [(base.microversions[0], other.microversions[0])]
    return Numbers({_minor(old): _minor(new) for old, new in pairs})


def _minor(version):
    return int(version.partition('.')[2])


def commits(git, other, source, last):
    """Return the ids of new commits, the first of which is their base.

    Files of the release that have a renumbered path of the series are not in
    them: this release has no such files.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`; it gets the
        commits, on no branch
    :param other: the :class:`nova_volops_plugin.bases.base.Base` whose series
        they are
    :param source: the path of a git tree that has its release
    :param last: the last microversion of this release, its minor number
    """
    git.run('fetch', '--quiet', '--no-tags', source, repository.tag(other))
    start = git.line('rev-parse', 'FETCH_HEAD^{commit}')
    first = last_microversion(git, start)
    numbers = following(first, _minor(other.microversions[1]) - first, last)
    series = series_steps.Steps(
        git, start, stack.commits(git, start, series_patch.load(other))[-1])
    moved = series.renumbered(numbers, {
        path for step in series for path in step.changes})
    before, after = series.released, moved.released
    release = dataclasses.replace(
        moved.steps[0], message='The release, without what has the numbers',
        changes={path: (before.get(path), after.get(path))
                 for path in before.keys() | after.keys()
                 if before.get(path) != after.get(path)})
    head = series_steps.write(git, start, [release, *moved])
    return git.line(
        'rev-list', '--reverse', '%s..%s' % (start, head)).split()
