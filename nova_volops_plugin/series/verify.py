# SPDX-License-Identifier: Apache-2.0

"""Verifies that a base and its series give the recorded trees."""

import ast
import dataclasses
import logging
import tempfile

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import misfits
from nova_volops_plugin.series import stack

LOG = logging.getLogger(__name__)

ALL = 'all'


@dataclasses.dataclass(frozen=True)
class Result:
    """The proof of a base with the whole series, or with some topics.

    :param topics: their names, or ``all``
    :param patches: how many there are
    :param tree: the git tree id they give, '' when one does not apply
    :param problem: what is wrong, '' when nothing is
    """

    topics: str
    patches: int
    tree: str
    problem: str


def verify(base, fetched, only=None, combinations=False):
    """Apply the series to a base without a checkout; compare the tree ids.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param fetched: the folder of a tree that has the released base
    :param only: the names of the topics to verify, each with those it needs;
        by default the whole series, and each topic where it has several
    :param combinations: verify every combination of topics instead, or those
        that have one of ``only``, recorded or not
    :returns: an iterator over a :class:`Result` each
    :raises BadInput: the series or a patch is malformed, or there is no such
        topic
    """
    series = combination.Series(base, lambda: fetched)
    wanted = _wanted(series, only, combinations)
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as objects:
        git = bases_git.isolated(fetched).scratch(objects)
        released = git.line('rev-parse', repository.tag(base) + '^{tree}')
        if released != base.base_tree:
            yield Result(
                ALL, len(series.all), released,
                '%s has the tree %s at %s, base.conf records %s; delete it '
                'and fetch again' %
                (fetched, released, base.version, base.base_tree))
            return
        if combinations:
            # What the topics' names are compared with.
            try:
                stack.tree(git, released, series.all)
            except stack.DoesNotApply as error:
                yield Result(ALL, len(series.all), '', str(error))
                return
        with series.maker() as maker:
            for label, names in wanted:
                if len(wanted) > 1:
                    LOG.info('verifying %s of %s', label, base.name)
                yield _verified(series, maker, git, label, names, combinations)


def _wanted(series, only, combinations):
    """Return (how it is called, its topics) of all that is verified."""
    if only is not None:
        series.names(only)
    if combinations and series.topics:
        return [(', '.join(names), names)
                for names in series.topics.combinations()
                if only is None or set(names) & set(only)]
    found = [] if only is not None else [(ALL, series.names())]
    if only is not None or len(series.names()) > 1:
        found += [(name, series.names([name]))
                  for name in only or series.names()]
    # A topic that needs all others is the whole series once more.
    return found[:1] + [each for each in found[1:]
                        if each[1] != series.names()]


def _verified(series, maker, git, label, names, complete):
    base, whole = series.base, names == series.names()
    count = sum(len(series.topics[name].patches) for name in names) \
        if not whole else len(series.all)
    try:
        patches = series.all if whole else maker.patches(names)
        tree = stack.tree(git, base.base_tree, patches)
    except (combination.Conflict, stack.DoesNotApply) as error:
        return Result(label, count, '', str(error))
    recorded = {base.tree} if whole else set()
    recorded.update(base.topics.get(name) for name in names
                    if series.topics.with_needs([name]) == names)
    problem = ''
    if recorded - {tree}:
        problem = (
            'base.conf records the tree %s; if the patches are as they '
            'should be, write it down by "nova-volops patch export"' %
            ' and '.join(sorted(map(str, recorded - {tree}))))
    elif complete:
        problem = '; '.join(_broken(git, tree, patches) or (
            '%s:%d: %s' % each for each in ([] if whole else misfits.find(
                git, tree, base.tree, base.base_tree))))
    return Result(label, count, tree, problem)


def _broken(git, tree, patches):
    """Return what is no Python in the modules that patches change."""
    problems = []
    paths = {change.path for patch in patches for change in patch.changes
             if change.path.endswith('.py')}
    for path in sorted(paths):
        shown = git.attempt('cat-file', 'blob', '%s:%s' % (tree, path))
        try:
            if not shown.returncode:
                ast.parse(shown.stdout)
        except SyntaxError as error:
            problems.append('%s:%d: %s' % (path, error.lineno, error.msg))
    return problems
