# SPDX-License-Identifier: Apache-2.0

"""Shows a conflict: its sides, and the same lines in other bases."""

import dataclasses
import re

_PLACE = re.compile(
    r'^<{7} .*\n((?s:.*?))^\|{7} .*\n((?s:.*?))^=======\n((?s:.*?))^>{7} .*\n',
    re.MULTILINE)
_MARK = re.compile(rb'^(<{7}|\|{7}|>{7}) ', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Place:
    """Where two sides of a file cannot be merged.

    :param line: the number of the line where the conflict begins
    :param ours: the lines of the base to which a change is brought, a list
    :param base: those before the change
    :param theirs: those of the base whose change it is
    """

    line: int
    ours: list
    base: list
    theirs: list

    def hunk(self, hunks):
        """Return the lines of the hunk that is most like the place.

        :param hunks: a list of lists of lines, as :func:`hunks` returns
        :returns: one of them, None where none has a line of the place
        """
        wanted = {line.strip() for lines in (self.ours, self.base, self.theirs)
                  for line in lines} - {''}

        def like(hunk):
            return len({line.strip() for line in hunk} & wanted)

        best = max(hunks, key=like, default=None)
        return best if best and like(best) else None


def mark(text, ours, theirs):
    """Name the sides of conflict marks.

    :param text: as :func:`nova_volops_plugin.series.merge.merge` returns it
    :param ours: the name of the base to which a change is brought
    :param theirs: that of the base whose change it is
    :returns: bytes
    """
    for old, new in ((b'<<<<<<< ours', '<<<<<<< %s' % ours),
                     (b'||||||| base', '||||||| %s, as it was' % theirs),
                     (b'>>>>>>> theirs', '>>>>>>> %s, as it is' % theirs)):
        text = re.sub(b'(?m)^' + re.escape(old) + b'$', new.encode(), text)
    return text


def marked(text):
    """Tell whether there are conflict marks in bytes."""
    return _MARK.search(text) is not None


def places(text):
    """Return the list of :class:`Place` of a file with named marks, bytes."""
    text = text.decode(errors='replace')
    return [
        Place(text.count('\n', 0, match.start()) + 1,
              *(lines.splitlines() for lines in match.groups()))
        for match in _PLACE.finditer(text)]


def hunks(patch, path):
    """Return what a patch's hunks lead to in a file.

    :param patch: a :class:`nova_volops_plugin.series.patch.Patch`
    :param path: in Nova's tree
    :returns: a list of lists of lines, of each hunk those after the patch
    """
    return [[line[1:] for line in patch.lines[first + 1:end]
             if line[:1] in (' ', '+')]
            for change in patch.changes if change.path == path
            for first, end in change.ranges]
