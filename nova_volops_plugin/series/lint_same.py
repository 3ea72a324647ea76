# SPDX-License-Identifier: Apache-2.0

"""The checks that a change stays the same in all bases.

Its message is the same in each, and its lines stay so where they were. The
microversions of a base do not count, and a base may say why it differs::

    # differs 0007-compute-refuse-early.patch: this release refuses later
"""

from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import renumber
from nova_volops_plugin.series import series_file


class _Alike:
    """Compares two bases' patches, but for their microversions."""

    def __init__(self, bases):
        self._bases = bases
        self._numbers = {}

    def lines(self, patch, other):
        return self._same(patch, patch.changed_lines,
                          other, other.changed_lines)

    def messages(self, patch, other):
        return self._same(patch, [patch.subject, *patch.body],
                          other, [other.subject, *other.body])

    def _same(self, patch, lines, other, others):
        if lines == others or len(lines) != len(others):
            return lines == others
        names = _base(patch), _base(other)
        if names not in self._numbers:
            self._numbers[names] = renumber.between(
                *(self._bases[name] for name in names))
        numbers = self._numbers[names]
        return all(one == two or numbers.text(_bytes(one)) == _bytes(two)
                   for one, two in zip(lines, others))


def _base(patch):
    return patch.path.parent.name


def _bytes(line):
    return line.encode('utf-8', errors='surrogateescape')


def check(bases, series, behind, then, since):
    """Yield (file, check's name, message, whether it is open).

    :param bases: a dict of base name and
        :class:`nova_volops_plugin.bases.base.Base`
    :param series: a dict of base name and (its
        :class:`nova_volops_plugin.series.series_file.SeriesFile`, its list of
        :class:`nova_volops_plugin.series.patch.Patch`)
    :param behind: a dict of base name and the Change-Ids in which it lags
        behind
    :param then: a dict of base name and its list of patches at a commit
    :param since: the name of that commit
    """
    alike = _Alike(bases)
    now = numbering.by_change(
        {name: patches for name, (_, patches) in series.items()})
    before = numbering.by_change(then)
    for change, patches in now.items():
        held = {name: patch for name, patch in patches.items()
                if patch.name not in series[name][0].differs}
        late = {name for name in held if change in behind[name]}
        yield from _messages(held, late, alike)
        for first, others, is_open in _lines(
                {name: patch
                 for name, patch in before.get(change, {}).items()
                 if name in held}, held, late, alike, bases):
            file = held[first].name
            yield ('%s/%s' % (first, file), 'same-lines',
                   'it was line for line the same in %s at %s and is not '
                   'now: bring the change to them by "nova-volops patch '
                   'carry", or add the line "# differs %s: REASON" to '
                   '%s/series' % (', '.join(sorted(others)), since, file,
                                  first), is_open)
    yield from _reasons(series, now, alike)


def _kinds(patches, same):
    """Return lists of patches that are the same."""
    kinds = []
    for patch in patches:
        for kind in kinds:
            if same(kind[0], patch):
                kind.append(patch)
                break
        else:
            kinds.append([patch])
    return kinds


def _messages(patches, late, alike):
    kinds = _kinds([patch for name, patch in patches.items()
                    if name not in late] or patches.values(), alike.messages)
    usual = max(kinds, key=len, default=[])
    for name, patch in patches.items():
        if not alike.messages(usual[0], patch):
            yield ('%s/%s' % (name, patch.name), 'same-message',
                   'its message is not the same as in %s: reword the commit '
                   'and export again, or add the line "# differs %s: REASON" '
                   'to %s/series' % (', '.join(map(_base, usual)), patch.name,
                                     name), name in late)


def _lines(before, now, late, alike, bases):
    """Yield what no longer agrees: a base, others, whether that is open."""
    if all(patch.content == now[name].content
           for name, patch in before.items()):
        return
    for kind in _kinds(before.values(), alike.lines):
        names = [_base(patch) for patch in kind]
        changed = [name for name in names
                   if not alike.lines(before[name], now[name])]
        if not changed:
            continue
        # What lags behind is brought to what does not.
        first = max(changed, key=lambda name: (
            name not in late, bases[name].release))
        others = {name for name in names
                  if not alike.lines(now[first], now[name])}
        late_ones = others if first in late else others & late
        for found in others - late_ones, late_ones:
            if found:
                yield first, found, found is late_ones


def _reasons(series, now, alike):
    """A line about a patch that differs is about one that does."""
    for name, (listed, patches) in series.items():
        named = {patch.name: patch for patch in patches}
        for file in listed.differs:
            if not series_file.FILE.fullmatch(file):
                continue
            patch = named.get(file)
            if not patch:
                yield ('%s/series' % name, 'same-lines',
                       'it has no %s: delete the line "# differs %s"' %
                       (file, file), False)
            elif all(alike.lines(patch, other) and
                     alike.messages(patch, other)
                     for other in now[numbering.key(patch)].values()):
                yield ('%s/series' % name, 'same-lines',
                       '%s is the same in every base: delete the line '
                       '"# differs %s"' % (file, file), False)
