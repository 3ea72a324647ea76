# SPDX-License-Identifier: Apache-2.0

"""Numbers and names the patches of all bases.

The same change, known by its Change-Id, has the same number and name in
every base that has it. A patch that only some bases have leaves a gap in
the others.
"""

import re

from nova_volops_plugin import exceptions

_MAX_SLUG = 52


def slug(subject):
    """Return a subject as a file name's part: lower case, no odd signs."""
    words = re.findall(r'[a-z0-9.]+', subject.lower().replace("'", ''))
    name = ''
    for word in words:
        word = word.strip('.')
        if len(name) + len(word) >= _MAX_SLUG:
            break
        if word:
            name += '-' * bool(name) + word
    return name or 'patch'


def key(patch):
    """Return what tells that two bases' patches are the same change."""
    return patch.trailer('Change-Id') or slug(patch.subject)


def by_change(series):
    """Return a dict of each change's key, and of base name and its patch.

    :param series: a dict of base name and its list of
        :class:`nova_volops_plugin.series.patch.Patch`
    """
    found = {}
    for name, patches in series.items():
        for patch in patches:
            found.setdefault(key(patch), {})[name] = patch
    return found


def equals(patch, series):
    """Return the names of the bases that have a patch line for line.

    The same lines are added to and taken away from the same files there; what
    is around them and where may differ.

    :param series: a dict of base name and its list of
        :class:`nova_volops_plugin.series.patch.Patch`
    """
    return [name for name, patches in series.items() if any(
        key(other) == key(patch) and
        other.changed_lines == patch.changed_lines for other in patches)]


def plan(series):
    """Give every patch its file name.

    :param series: a dict of base name and its list of
        :class:`nova_volops_plugin.series.patch.Patch`
    :returns: a dict of base name and list of (file name, patch)
    :raises BadInput: two bases have the same changes in another order, or
        one has a change twice
    """
    keys = {name: [key(patch) for patch in patches]
            for name, patches in series.items()}
    for name, found in keys.items():
        for change in found:
            if found.count(change) > 1:
                raise exceptions.BadInput(
                    '%s has %s twice; each patch needs a Change-Id of its '
                    'own' % (name, change))
    numbers = {change: number for number, change in enumerate(
        _merge(keys), 1)}
    return {name: [('%04d-%s.patch' % (numbers[key(patch)],
                                       slug(patch.subject)), patch)
                   for patch in patches]
            for name, patches in series.items()}


def _merge(keys):
    """Return one order that holds every base's order."""
    rest = [list(found) for name, found in sorted(keys.items())]
    merged = []
    while any(rest):
        for found in rest:
            if found and not any(
                    found[0] in other[1:] for other in rest):
                change = found[0]
                break
        else:
            raise exceptions.BadInput(
                'the bases have the changes %s in another order; give them '
                'the same order by "git rebase -i". Where that is done but '
                'not exported yet, export the first one with --alone' %
                ' and '.join(sorted({found[0] for found in rest if found})))
        merged.append(change)
        for found in rest:
            if found and found[0] == change:
                found.pop(0)
    return merged
