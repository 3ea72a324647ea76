# SPDX-License-Identifier: Apache-2.0

"""The checks of the migrations: one history across all bases.

The series' column comes after the last migration of the oldest base, in every
base. Each base ends in a merge: a revision whose parents are the release's
last migration and the merge of the base before. It has the merges of all older
bases too, so it knows where their databases are.
"""

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import migrations


def check(series):
    """Yield (file, message) for what breaks the history.

    :param series: a list of base name and its list of
        :class:`nova_volops_plugin.series.patch.Patch`, oldest release first
    """
    older = None
    for name, patches in series:
        for patch in patches:
            yield from _former(name, patch)
        try:
            added = migrations.added(patches)
        except exceptions.BadInput as error:
            yield '%s/series' % name, str(error)
            continue
        yield from _history(name, added)
        if older:
            yield from _older(name, added, *older)
        older = name, added


def _former(name, patch):
    for change in patch.changes:
        for line, text in change.added:
            if migrations.FORMER in text:
                yield (
                    '%s/%s' % (name, patch.name),
                    'line %d, an added line of %s, has the former revision '
                    '%s: take the migrations that the other bases have' %
                    (line, change.path, migrations.FORMER))


def _history(name, added):
    """What is added is a chain that ends in a merge."""
    last = migrations.heads(added.values())
    for each in last[1:]:
        yield _file(name, each), (
            '%s and %s are both the last: let one come after the other' %
            (last[0].path, each.path))
    for each in added.values():
        released = [parent for parent in each.parents if parent not in added]
        if len(released) > 1 or len(each.parents) - len(released) > 1:
            yield _file(name, each), (
                '%s merges others than the last migration of a release and '
                'the merge of the base before: name these as its '
                'down_revision' % each.path)
    if last and len(last[0].parents) < 2:
        yield _file(name, last[0]), (
            '%s is the last one and merges nothing: add a migration that has '
            'it and the last one of the release as its down_revision' %
            last[0].path)


def _older(name, added, other, known):
    """What the older base adds is there, and one merge more."""
    for each in known.values():
        here = added.get(each.name)
        if not here:
            yield '%s/series' % name, (
                'it does not know databases of %s: add %s as it is there' %
                (other, each.path))
        elif (here.path, here.blob) != (each.path, each.blob):
            yield _file(name, here), (
                '%s is not the same as %s in %s: make both files equal and '
                'export again' % (here.path, each.path, other))
    if known and not set(added) - set(known):
        yield '%s/series' % name, (
            'it ends in the merge of %s: add a migration that has that and '
            'the last one of the release as its down_revision' % other)


def _file(name, revision):
    return '%s/%s' % (name, revision.patch)
