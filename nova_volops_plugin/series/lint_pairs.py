# SPDX-License-Identifier: Apache-2.0

"""The checks between bases: same changes, same names, same new modules."""

import re

from nova_volops_plugin.series import numbering

# New modules that belong to a base by their nature.
_OWN = re.compile(r'nova/(tests|db/[a-z]+/migrations|db/migration)/')


def check(series):
    """Yield (file, check's name, message) for what the bases differ in.

    :param series: a dict of base name and (its
        :class:`nova_volops_plugin.series.series_file.SeriesFile`, its list of
        :class:`nova_volops_plugin.series.patch.Patch`)
    """
    yield from _twice(series)
    yield from _changes(series)
    yield from _lacks(series)
    yield from _modules(series)


def _twice(series):
    for name, (listed, patches) in series.items():
        seen = {}
        for patch in patches:
            change = numbering.key(patch)
            if change in seen:
                yield ('%s/%s' % (name, patch.name), 'change-id',
                       'it has the Change-Id of %s: give it one of its own, '
                       'amend and export again' % seen[change])
            seen.setdefault(change, patch.name)


def _changes(series):
    """The same change has one name, and each base has it or says why not."""
    everywhere = {}
    for name, (listed, patches) in series.items():
        for patch in patches:
            everywhere.setdefault(numbering.key(patch), {})[name] = patch
    for change, found in everywhere.items():
        first, patch = next(iter(found.items()))
        for name, other in found.items():
            if other.name != patch.name:
                yield ('%s/%s' % (name, other.name), 'same-name',
                       'the same change is %s in %s: give both the same '
                       'subject and export again' % (patch.name, first))
        for name, (listed, patches) in series.items():
            if name not in found and patch.name not in listed.lacks:
                yield ('%s/series' % name, 'same-changes',
                       'it lacks %s of %s without a reason: add the line '
                       '"# lacks %s: REASON"' %
                       (patch.name, first, patch.name))


def _lacks(series):
    """A line about a lacking patch is about one that exists elsewhere."""
    names = {name: {patch.name for patch in patches}
             for name, (listed, patches) in series.items()}
    for name, (listed, patches) in series.items():
        for lacking in listed.lacks:
            if lacking in names[name]:
                yield ('%s/series' % name, 'same-changes',
                       'it has %s and says that it lacks it: delete the '
                       'line "# lacks …"' % lacking)
            elif not any(lacking in each for each in names.values()):
                yield ('%s/series' % name, 'same-changes',
                       'no base has %s: delete the line "# lacks …"' %
                       lacking)


def _modules(series):
    """A new module is the same, byte for byte, after the last patch."""
    created, last = {}, {}
    for name, (listed, patches) in series.items():
        for patch in patches:
            for change in patch.changes:
                if change.creates:
                    created.setdefault(change.path, set()).add(name)
                last[name, change.path] = change.new, patch.name
    for path, bases in sorted(created.items()):
        if not path.startswith('nova/') or not path.endswith('.py') or \
                _OWN.match(path):
            continue
        if not path.endswith('__init__.py') and len(bases) > 1:
            yield from _module(path, sorted(bases), series, last)
    for name, (listed, patches) in series.items():
        for path in listed.differs:
            if len({last[each, path][0] for each in created.get(path, ())
                    if (each, path) in last}) < 2:
                yield ('%s/series' % name, 'same-modules',
                       '%s is the same in every base: delete the line '
                       '"# differs %s"' % (path, path))


def _module(path, bases, series, last):
    blobs = {last[name, path][0] for name in bases}
    stated = any(path in series[name][0].differs for name in bases)
    if len(blobs) > 1 and not stated:
        name = bases[-1]
        yield ('%s/%s' % (name, last[name, path][1]), 'same-modules',
               '%s is not the same as in %s: make both files equal and '
               'export again, or add the line "# differs %s: REASON" to '
               '%s/series' % (path, ', '.join(bases[:-1]), path, name))
