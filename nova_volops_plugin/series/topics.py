# SPDX-License-Identifier: Apache-2.0

"""The topics of a series and their needs.

A topic is some patches in a row that are of use without those of the others,
but for the topics that it needs.
"""

import dataclasses
import itertools
import re

from nova_volops_plugin import exceptions

NAME = re.compile(r'[a-z][a-z0-9]*(-[a-z0-9]+)*', re.ASCII)


@dataclasses.dataclass(frozen=True)
class Topic:
    """One topic.

    :param name: words in lower case with hyphens
    :param needs: the names of the topics it needs, a tuple
    :param patches: the file names of its patches, a tuple; none where the
        base lacks the topic
    """

    name: str
    needs: tuple = ()
    patches: tuple = ()


class Topics(dict):
    """Maps names to each :class:`Topic`, in the order of the series."""

    def of_patches(self):
        """Return a dict of file name and name of the topic."""
        return {patch: topic.name for topic in self.values()
                for patch in topic.patches}

    def with_needs(self, names):
        """Return topics and all they need, in the order of the series.

        What the base lacks is left out.
        """
        wanted = set(names)
        for topic in reversed(self.values()):
            if topic.name in wanted:
                wanted.update(topic.needs)
        return tuple(name for name in self
                     if name in wanted and self[name].patches)

    def needing(self, names):
        """Return the topics that need one of some, but for these."""
        return tuple(name for name in self if name not in names and
                     set(self.with_needs([name])) & set(names))

    def leading(self, names):
        """Return those of some topics that none of the others needs."""
        return tuple(name for name in self if name in names and not
                     set(self.needing([name])) & set(names))

    def combinations(self):
        """Yield every combination that has what it needs, smaller ones first.

        :returns: an iterator over tuples of names
        """
        present = self.with_needs(self)
        for count in range(1, len(present) + 1):
            for names in itertools.combinations(present, count):
                if names == self.with_needs(names):
                    yield names

    def require(self, names, base):
        """Raise what is wrong with the names of topics that are asked for.

        :param names: a list of str
        :param base: what the series is of, for the message
        :raises BadInput: the series has no such topic, or no topics
        """
        if not self:
            raise exceptions.BadInput(
                'the series of %s is not divided into topics; leave out '
                '--only' % base)
        for name in names:
            if name not in self:
                raise exceptions.BadInput(
                    'there is no topic %r; the topics of %s are: %s' %
                    (name[:80], base, ', '.join(self.with_needs(self))))
            if not self[name].patches:
                raise exceptions.BadInput(
                    '%s lacks the topic %s: its series has no patch of it' %
                    (base, name))


def assigned(changes, known):
    """Tell of which topic each of some changes is.

    A new one is of the topic of that before it, the first ones of that of the
    first known one. Some of a topic's that were moved between two of another
    one are of that one.

    :param changes: their keys in the order of the series, see
        :func:`nova_volops_plugin.series.numbering.key`
    :param known: a dict of key and name of the topic
    :returns: a list of names, of None where no change is known
    """
    found = [known.get(change) for change in changes]
    name = next(filter(None, found), None)
    found = [name := each or name for each in found]
    while moved := _moved(found):
        for number in moved:
            found[number] = found[moved[0] - 1]
    return found


def _moved(found):
    """Return the places of the fewest that stand between two of another.

    They are some of a topic's, never all.
    """
    rows = [list(row) for _name, row in itertools.groupby(
        range(len(found)), found.__getitem__)]
    return min((
        row for before, row, after in zip(rows, rows[1:], rows[2:])
        if found[before[0]] == found[after[0]] and
        found.count(found[row[0]]) > len(row)), key=len, default=None)


def arranged(old, patches, names):
    """Return the topics of a series that has changed.

    :param old: its :class:`Topics` as they were
    :param patches: the file names of the patches
    :param names: the topic of each
    :raises BadInput: the patches of a topic are not in a row, or one comes
        before a topic that it needs
    """
    rows = [(name, tuple(patch for _name, patch in row))
            for name, row in itertools.groupby(
                zip(names, patches), lambda each: each[0])]
    held = dict(rows)
    for name in held:
        parts = [row for each, row in rows if each == name]
        if len(parts) > 1:
            raise exceptions.BadInput(
                'the patches of topic %s are not in a row: %s is parted from '
                '%s. Reorder the commits by "git rebase -i"' %
                (name, parts[1][0], parts[0][-1]))
    places = {}
    for name in old:
        # One without patches stays behind the one it was behind.
        places[name] = list(held).index(name) if name in held else max(
            places.values(), default=-1)
    made = Topics((name, dataclasses.replace(
        old[name], patches=held.get(name, ())))
        for name in sorted(old, key=places.get))
    for name, topic in made.items():
        seen = list(made)[:list(made).index(name)]
        for need in topic.needs:
            if need not in seen:
                raise exceptions.BadInput(
                    'topic %s needs %s, and its patches come first. Reorder '
                    'the commits by "git rebase -i"' % (name, need))
    return made
