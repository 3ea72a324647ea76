# SPDX-License-Identifier: Apache-2.0

"""Checks each patch of a series where it stands alone.

A patch can be merged without those after it, so it is the last commit of the
tree while it is checked: by Nova's style and type checks, of which it must
add no finding, and by the tests of what it touches.
"""

import collections
import contextlib
import dataclasses
import logging
import pathlib
import shutil

from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import lock
from nova_volops_plugin.bases import repository
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import style
from nova_volops_plugin.series import touched
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)

CHECKS = ('pep8', 'mypy', *nova_tests.KINDS)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one check of one patch gave.

    :param number: the patch's place in the series, from 1
    :param subject: the first line of its message
    :param check: one of CHECKS
    :param problems: a str for each, none if the check passed
    :param text: how much was checked
    """

    number: int
    subject: str
    check: str
    problems: tuple
    text: str


def run(state, base, source, first=1, last=None, checks=CHECKS,
        concurrency=None, mode=None):
    """Check patches one after the other, the first one first.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param source: the folder of a git tree whose commits after the released
        base are the patches
    :param first: the number of the first patch, from 1
    :param last: that of the last one, by default of the last patch
    :param checks: some of CHECKS
    :param concurrency: as in :func:`nova_tests.run`, so are the others
    :returns: an iterator over an :class:`Outcome` each, as they end
    :raises NoPython: no Python here fits the base
    :raises BadInput: there are no such patches
    :raises VolopsError: a check broke down
    """
    env = environment.ensure(state, base)
    tools = environment.of_tools(state, 'style', style.REQUIREMENTS)
    commits = _commits(base, bases_git.isolated(source), first, last)
    cache = state.path / 'mypy' / base.name
    with _work_tree(state, base, source) as work:
        for number, parent, commit in commits:
            work.git.run('checkout', '--quiet', '--detach', parent)
            changed = {
                name for name in work.git.lines(
                    'diff', '--name-only', '--no-renames', '-z', parent,
                    commit)}
            look = {
                'pep8': lambda: style.pep8(env, work.path, changed),
                'mypy': lambda: style.mypy(tools, work.path, cache),
            }
            before = {check: look[check]() for check in checks
                      if check in look}
            work.git.run('checkout', '--quiet', '--detach', commit)
            subject = work.git.line('log', '-1', '--format=%s', commit)
            for check in checks:
                LOG.info('patch %d: %s', number, check)
                if check in look:
                    problems = look[check]() - before[check]
                    text = '%d findings' % sum(problems.values())
                else:
                    problems, text = _test(
                        state, base, env, work.path, check,
                        touched.since(work.path, parent, changed, check),
                        concurrency, mode)
                yield Outcome(number, subject, check,
                              tuple(sorted(problems)), text)


def _test(state, base, env, tree, kind, names, concurrency, mode):
    result = nova_tests.run_named(
        state, base, env, tree, kind, names, concurrency, mode)
    return collections.Counter(map(str, result.failures)), str(result)


def _commits(base, source, first, last):
    """Return (number, id of the parent, id) of each patch asked for."""
    made = source.line(
        'rev-list', '--reverse', '--first-parent',
        '%s..HEAD' % repository.tag(base)).split()
    last = len(made) if last is None else last
    if not 1 <= first <= last <= len(made):
        raise exceptions.BadInput(
            'patches %d to %d were asked for, and %s has %d; name one, or '
            'the first and the last one such as 3-7' %
            (first, last, source.path, len(made)))
    start = source.line('rev-parse', repository.tag(base) + '^{commit}')
    parents = [start, *made]
    return [(number, parents[number - 1], made[number - 1])
            for number in range(first, last + 1)]


@dataclasses.dataclass(frozen=True)
class _WorkTree:
    path: pathlib.Path
    git: bases_git.Git


@contextlib.contextmanager
def _work_tree(state, base, source):
    """Yield a work tree of its own; nobody's tree is moved."""
    path = state.trees / (base.name + '-each')
    with lock.hold(state.trees / ('.%s.lock' % path.name)):
        shutil.rmtree(path, ignore_errors=True)
        try:
            git = repository.clone(source, path, '--shared')
            shutil.copytree(
                series_tree.fetch(state, base) /
                repository.METADATA, path / repository.METADATA)
            yield _WorkTree(path, git)
        finally:
            shutil.rmtree(path, ignore_errors=True)
