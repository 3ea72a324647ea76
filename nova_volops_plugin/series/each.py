# SPDX-License-Identifier: Apache-2.0

"""Checks each patch of a series by itself.

A patch can be merged without those after it, so it is the last commit of the
tree while it is checked: by Nova's style and type checks, of which it must
add no finding, and by the tests of what it touches.
"""

import collections
import contextlib
import dataclasses
import logging
import shutil

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import lock
from nova_volops_plugin.bases import repository
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import style
from nova_volops_plugin.series import touched
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)

CHECKS = ('pep8', 'mypy', *nova_tests.KINDS)
# In the place of its number, of a commit that is no patch of the base yet.
NEW = 'new'


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one check of one patch gave.

    :param number: the patch's four digits, or NEW
    :param subject: the first line of its message
    :param check: one of CHECKS, or None if the patch is not checked
    :param problems: a str for each, none if the check passed
    :param text: how much was checked, or why nothing was
    """

    number: str
    subject: str
    check: str
    problems: tuple
    text: str


def run(state, base, source, first=None, last=None, checks=CHECKS,
        concurrency=None, mode=None, only=None, differing=False):
    """Check patches one after the other, the first one first.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param source: the folder of a git tree whose commits after the released
        base are the patches
    :param first: the number that the first patch has in its file's name, an
        int, None for the first commit; NEW commits between two patches are
        checked too
    :param last: that of the last one, None for the last commit
    :param checks: some of CHECKS
    :param concurrency: as in :func:`nova_tests.run`, so is ``mode``
    :param only: the names of the topics whose patches are checked, by default
        all
    :param differing: check only the patches that are not line for line the
        same in the next newer base
    :returns: an iterator over an :class:`Outcome` each, as they end
    :raises NoPython: no Python here fits the base
    :raises BadInput: there are no such patches
    :raises VolopsError: a check broke down
    """
    commits = _commits(base, bases_git.isolated(source), first, last)
    if only is not None:
        commits = _of_topics(base, commits, only)
    same = _same_in_newer(base) if differing else {}
    env = environment.ensure(state, base)
    tools = environment.of_tools(state, 'style', style.REQUIREMENTS)
    cache = state.path / 'mypy' / base.name
    with _work_tree(state, base, source) as work:
        findings = _Findings(work, env, tools, cache)
        for number, parent, commit in commits:
            subject = work.line('log', '-1', '--format=%s', commit)
            if number in same:
                yield Outcome(number, subject, None, (),
                              'the same in ' + same[number])
                continue
            work.run('checkout', '--quiet', '--detach', parent)
            changed = set(work.lines(
                'diff', '--name-only', '--no-renames', '-z', parent, commit))
            before = {check: findings.of(check, changed) for check in checks
                      if check not in nova_tests.KINDS}
            work.run('checkout', '--quiet', '--detach', commit)
            for check in checks:
                LOG.info('%s %s: %s', number, subject, check)
                if check in before:
                    problems = findings.of(check, changed) - before[check]
                    text = '%d findings' % sum(problems.values())
                else:
                    problems, text = _test(
                        state, base, env, work.path, check,
                        touched.since(work.path, parent, changed, check),
                        concurrency, mode)
                yield Outcome(number, subject, check,
                              tuple(sorted(problems)), text)


class _Findings:
    """What the style checks find; no file and no tree is checked twice."""

    def __init__(self, work, env, tools, cache):
        self._work, self._env = work, env
        self._tools, self._cache = tools, cache
        self._pep8 = {}
        self._mypy = {}

    def of(self, check, paths):
        """Return what a check finds in the work tree, a Counter of str.

        :param paths: the files that pep8 checks; mypy checks the tree
        """
        if check == 'mypy':
            tree = self._work.line('rev-parse', 'HEAD^{tree}')
            if tree not in self._mypy:
                self._mypy[tree] = style.mypy(
                    self._tools, self._work.path, self._cache)
            return self._mypy[tree]
        files = {(path, blob) for _mode, _kind, blob, path in (
            record.split(None, 3) for record in self._work.lines(
                'ls-tree', '-r', '-z', 'HEAD', '--', *sorted(paths)))}
        new = {path for path, blob in files if (path, blob) not in self._pep8}
        found = style.pep8(self._env, self._work.path, new)
        for path, blob in files:
            if path in new:
                self._pep8[path, blob] = collections.Counter({
                    text: number for text, number in found.items()
                    if text.startswith('flake8: %s: ' % path)})
        return sum((self._pep8[each] for each in files),
                   collections.Counter())


def _test(state, base, env, tree, kind, names, concurrency, mode):
    result = nova_tests.run_named(
        state, base, env, tree, kind, names, concurrency, mode)
    return collections.Counter(map(str, result.failures)), str(result)


def _commits(base, source, first, last):
    """Return (number, id of the parent, id) of each commit asked for."""
    numbers = {patch.trailer('Change-Id'): patch.name[:4]
               for patch in series_patch.load(base)}
    found = []
    parent = repository.commit(source, base)
    for record in source.lines(
            'log', '-z', '--reverse', '--first-parent',
            '--format=%H %(trailers:key=Change-Id,valueonly,'
            'separator=%x20)', parent + '..HEAD'):
        commit, *changes = record.split()
        found.append((next((numbers[change] for change in changes
                            if change in numbers), NEW), parent, commit))
        parent = commit
    if first is None:
        return found
    wanted = {number for number in numbers.values() if first <= int(number) and
              (last is None or int(number) <= last)}
    places = [place for place, commit in enumerate(found)
              if commit[0] in wanted]
    if not places:
        raise exceptions.BadInput(
            '%s has no commit of %s' % (source.path, ', '.join(
                sorted(wanted))) if wanted else
            _lacking(base, sorted(numbers.values()), first, last))
    end = None if last is None else places[-1] + 1
    return [commit for commit in found[places[0]:end]
            if commit[0] in wanted or commit[0] == NEW]


def _lacking(base, numbers, first, last):
    """Say why a base has no patch of these numbers, and which are near."""
    number = '%04d' % first
    if first != last:
        number += '-' if last is None else '-%04d' % last
    lacks = series_file.SeriesFile.load(base.path / 'series').lacks
    reasons = [reason for name, reason in lacks.items()
               if name[:4] == number]
    near = [*[each for each in numbers if int(each) < first][-2:],
            *[each for each in numbers if int(each) > first][:2]]
    return '%s has no patch %s%s; %s' % (
        base.name, number, ''.join(': ' + reason for reason in reasons),
        'near it are ' + ', '.join(near) if near else 'it has none')


def _of_topics(base, commits, only):
    """Return those of the commits that are patches of some topics."""
    numbers = {patch.name[:4]
               for patch in combination.Series(base).own(only)}
    return [each for each in commits if each[0] in numbers]


def _same_in_newer(base):
    """Return a dict of a patch's number and the next newer base's name."""
    newer = min((each for each in nova_base.load_all(base.path.parent)
                 if each.release > base.release),
                key=lambda each: each.release, default=None)
    if newer is None:
        return {}
    others = {newer.name: series_patch.load(newer)}
    return {patch.name[:4]: newer.name for patch in series_patch.load(base)
            if numbering.equals(patch, others)}


@contextlib.contextmanager
def _work_tree(state, base, source):
    """Yield the git of a work tree of its own; nobody's tree is moved."""
    path = state.trees / (base.name + '-each')
    with lock.hold(state.trees / ('.%s.lock' % path.name)):
        shutil.rmtree(path, ignore_errors=True)
        try:
            git = repository.clone(source, path, '--shared')
            shutil.copytree(
                series_tree.fetch(state, base) /
                repository.METADATA, path / repository.METADATA)
            yield git
        finally:
            shutil.rmtree(path, ignore_errors=True)
