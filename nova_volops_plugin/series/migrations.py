# SPDX-License-Identifier: Apache-2.0

"""The revisions that the series adds to the schema of a cell's database."""

import ast
import dataclasses

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import patch as series_patch

VERSIONS = 'nova/db/main/migrations/versions/'

# The series added the column by this revision before it had one history over
# all bases. It came after each base's own last one, so a database that has it
# does not tell which ones it lacks.
FORMER = '7c1d0a2e94b6'


@dataclasses.dataclass(frozen=True)
class Revision:
    """One migration.

    :param name: the revision's id
    :param parents: the ids of those it comes after, a tuple
    :param path: of its file in Nova's tree
    :param blob: the file's blob id
    :param patch: the name of the patch that adds it
    """

    name: str
    parents: tuple
    path: str
    blob: str
    patch: str


def added(patches):
    """Return the migrations that a series adds, a dict of id and Revision.

    :param patches: a list of :class:`nova_volops_plugin.series.patch.Patch`
    :raises BadInput: one is malformed, or not only added
    """
    found = {}
    for patch in patches:
        for change in patch.changes:
            if change.path.startswith(VERSIONS) and \
                    change.path.endswith('.py'):
                revision = _revision(patch, change)
                found[revision.name] = revision
    return found


def heads(revisions):
    """Return those that none of them comes after, sorted by file."""
    parents = {parent for each in revisions for parent in each.parents}
    return sorted((each for each in revisions if each.name not in parents),
                  key=lambda each: each.path)


def ends(base):
    """Return the ids of the last migrations of the release and the series.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :raises BadInput: the series' migrations do not end in one
    """
    revisions = added(series_patch.load(base))
    last = heads(revisions.values())
    if len(last) != 1:
        raise exceptions.BadInput(
            'the migrations that the series adds to %s do not end in one; '
            '"nova-volops patch lint" says more' % base.name)
    released = [parent for parent in last[0].parents
                if parent not in revisions]
    return released[0], last[0].name


def _revision(patch, change):
    if not change.creates:
        raise exceptions.BadInput(
            '%s changes %s; a migration is only added: once a database has '
            'it, it is not run again' % (patch.name, change.path))
    text = ''.join(line + '\n' for _number, line in change.added)
    said = {}
    try:
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign):
                name = getattr(node.targets[0], 'id', None)
                if name in ('revision', 'down_revision'):
                    said[name] = ast.literal_eval(node.value)
        parents = said['down_revision']
        if isinstance(parents, str):
            parents = (parents,)
        return Revision(said['revision'], tuple(parents), change.path,
                        change.new, patch.name)
    except (SyntaxError, ValueError, KeyError, TypeError):
        raise exceptions.BadInput(
            '%s of %s has no revision and down_revision that can be read' %
            (change.path, patch.name))
