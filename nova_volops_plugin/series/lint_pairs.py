# SPDX-License-Identifier: Apache-2.0

"""The checks across bases: same changes, same names, same new modules.

What a base that lags behind differs in is open, not wrong.
"""

import re

from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import series_file

# New modules that belong to a base by their nature.
_OWN = re.compile(r'nova/(tests|db/[a-z]+/migrations|db/migration)/')


def check(series, behind, late):
    """Yield (file, check's name, message, whether it is open).

    :param series: a dict of base name and (its
        :class:`nova_volops_plugin.series.series_file.SeriesFile`, its list of
        :class:`nova_volops_plugin.series.patch.Patch`)
    :param behind: a dict of base name and the Change-Ids in which it lags
        behind
    :param late: the names of bases that lag behind in anything: their files
        have the numbers that they had before
    """
    yield from _twice(series)
    yield from _changes(series, behind, late)
    yield from _lacks(series, late)
    yield from _order(series, behind, late)
    yield from _modules(series, behind)


def _same_name(file, other, late):
    """Whether two file names are the same, late ones but for the number."""
    return file == other or late and file[5:] == other[5:]


def _twice(series):
    for name, (listed, patches) in series.items():
        seen = {}
        for patch in patches:
            change = numbering.key(patch)
            if change in seen:
                yield ('%s/%s' % (name, patch.name), 'change-id',
                       'it has the Change-Id of %s: give it one of its own, '
                       'amend and export again' % seen[change], False)
            seen.setdefault(change, patch.name)


def _changes(series, behind, late):
    """The same change has one name, and each base has it or says why not."""
    for change, found in numbering.by_change({
            name: patches
            for name, (listed, patches) in series.items()}).items():
        kept = [name for name in found if change not in behind[name]]
        first = min(kept or found, key=lambda name: name in late)
        patch = found[first]
        for name, other in found.items():
            if not _same_name(other.name, patch.name, late & {name, first}):
                yield ('%s/%s' % (name, other.name), 'same-name',
                       'the same change is %s in %s: give both the same '
                       'subject and export again' % (patch.name, first),
                       change in behind[name])
        lacking = [name for name, (listed, patches) in series.items()
                   if name not in found and not any(
                       _same_name(each, patch.name, late & {name, first})
                       for each in listed.lacks)]
        for name in lacking if kept else ():
            yield ('%s/series' % name, 'same-changes',
                   'it lacks %s of %s without a reason: add the line '
                   '"# lacks %s: REASON"' %
                   (patch.name, first, patch.name), change in behind[name])
        for name, other in found.items() if lacking and not kept else ():
            yield ('%s/%s' % (name, other.name), 'same-changes',
                   '%s no longer have it: drop the commit and export again' %
                   ', '.join(lacking), True)


def _lacks(series, late):
    """A line about a lacking patch is about one that exists elsewhere."""
    for name, (listed, patches) in series.items():
        for lacking in listed.lacks:
            having = {other for other, (_, theirs) in series.items() if any(
                _same_name(lacking, patch.name, late & {name, other})
                for patch in theirs)}
            if name in having:
                yield ('%s/series' % name, 'same-changes',
                       'it has %s and says that it lacks it: delete the '
                       'line "# lacks …"' % lacking, False)
            elif not having:
                yield ('%s/series' % name, 'same-changes',
                       'no base has %s: delete the line "# lacks …"' %
                       lacking, False)


def _order(series, behind, late):
    """What a late base has as others do is in their order.

    The numbers show that of all others.
    """
    for name in sorted(late):
        for other in series:
            wrong = _misplaced(series[name][1], series[other][1],
                               behind[name] | behind[other])
            if wrong:
                yield ('%s/%s' % (name, wrong[0]), 'same-order',
                       'in %s it comes before %s: give both the same order '
                       'by "git rebase -i" and export again' %
                       (other, wrong[1]), False)
                break


def _misplaced(patches, others, but):
    """Return the names of two patches that others have the other way."""
    places = {numbering.key(patch): (place, patch.name)
              for place, patch in enumerate(others)
              if numbering.key(patch) not in but}
    last = -1, ''
    for patch in patches:
        place = places.get(numbering.key(patch), last)
        if place < last:
            return patch.name, last[1]
        last = place
    return None


def _modules(series, behind):
    """A new module is the same, byte for byte, after the last patch."""
    created, last, touching = {}, {}, {}
    for name, (listed, patches) in series.items():
        for patch in patches:
            for change in patch.changes:
                if change.creates:
                    created.setdefault(change.path, set()).add(name)
                last[name, change.path] = change.new, patch.name
                touching.setdefault(change.path, set()).add(
                    numbering.key(patch))
    for path, bases in sorted(created.items()):
        if not path.startswith('nova/') or not path.endswith('.py') or \
                _OWN.match(path):
            continue
        if not path.endswith('__init__.py') and len(bases) > 1:
            yield from _module(
                path, sorted(bases), series, last,
                {name for name in bases if behind[name] & touching[path]})
    for name, (listed, patches) in series.items():
        for path in listed.differs:
            if series_file.FILE.fullmatch(path):
                continue
            if len({last[each, path][0] for each in created.get(path, ())
                    if (each, path) in last}) < 2:
                yield ('%s/series' % name, 'same-modules',
                       '%s is the same in every base: delete the line '
                       '"# differs %s"' % (path, path), False)


def _module(path, bases, series, last, late):
    if any(path in series[name][0].differs for name in bases):
        return
    kept = [name for name in bases if name not in late]
    if len({last[name, path][0] for name in kept}) > 1:
        yield _differs(path, kept[-1], kept[:-1], last, False)
    for name in sorted(late):
        others = [other for other in kept or bases
                  if last[other, path][0] != last[name, path][0]]
        if others:
            yield _differs(path, name, others, last, True)


def _differs(path, name, others, last, is_open):
    return ('%s/%s' % (name, last[name, path][1]), 'same-modules',
            '%s is not the same as in %s: make both files equal and '
            'export again, or add the line "# differs %s: REASON" to '
            '%s/series' % (path, ', '.join(others), path, name), is_open)
