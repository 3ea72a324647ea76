# SPDX-License-Identifier: Apache-2.0

"""Compares Nova's whole suites on a patched and the released tree.

The suites take hours, so they run in parts, and a part that has ended is not
run again for the same tree. Only what fails is run on the released tree: a
test counts against the series if it fails with it, alone too, and does not
fail without it.
"""

import collections
import dataclasses
import functools
import itertools
import json
import logging
import re

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)

TOP = '(modules)'
BROKEN = 'fails with the series only'
UNSTEADY = 'passes when it runs alone'
AS_RELEASED = 'fails without the series too'


@dataclasses.dataclass(frozen=True)
class Part:
    """What one part of a suite gave.

    :param kind: ``unit`` or ``functional``
    :param mode: the threads it ran with, one of
        :data:`nova_volops_plugin.bases.threads.MODES`
    :param name: a folder of the tests, or TOP for the modules beside them
    :param passed: number of tests, so are ``failed`` and ``skipped``
    :param failures: a dict of failed test and one of BROKEN, UNSTEADY and
        AS_RELEASED
    """

    kind: str
    mode: str
    name: str
    passed: int
    failed: int
    skipped: int
    failures: dict


def parts(tree, kind):
    """Return a dict of each part of a suite and its regular expression.

    :param tree: the :class:`pathlib.Path` of a Nova tree
    :param kind: ``unit`` or ``functional``
    """
    folder = tree / 'nova/tests' / kind
    prefix = re.escape('nova.tests.%s.' % kind)
    found = {
        each.name: r'^%s%s\.' % (prefix, re.escape(each.name))
        for each in sorted(folder.iterdir())
        if each.is_dir() and any(each.rglob('test_*.py'))}
    if any(folder.glob('test_*.py')):
        found[TOP] = r'^%stest_\w+\.' % prefix
    return found


def run(state, base, kinds=nova_tests.KINDS, restart=False,
        concurrency=None, mode=None):
    """Run the suites of a base's patched tree, from where they were left.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param kinds: some of :data:`nova_tests.KINDS`
    :param restart: whether to forget what earlier runs gave
    :param concurrency: as in :func:`nova_tests.run`, so are the others
    :returns: an iterator over a :class:`Part` each, as they end
    :raises NoPython: no Python here fits the base
    :raises BadInput: the base does not run with such threads
    :raises VolopsError: the tests could not be run
    """
    path = state.path / 'suites' / base.name / ('%s.json' % base.tree)
    if restart:
        path.unlink(missing_ok=True)
    modes = nova_tests.modes(base, mode)
    tree = series_tree.ensure(state, base)

    def tests(kind, mode, regex, **kwargs):
        try:
            return nova_tests.run(
                state, base, (kind,), regex, mode=mode, **kwargs)
        except exceptions.BadInput:
            # A test that is new with the series.
            return nova_tests.Result()

    for kind, each in itertools.product(kinds, modes):
        for name, regex in parts(tree, kind).items():
            suite = '%s, %s threads' % (kind, each)
            done = _load(path)
            if name not in done[suite]:
                LOG.info('%s: the tests of %s', suite, name)
                ask = functools.partial(tests, kind, each)
                result = ask(regex, concurrency=concurrency)
                done[suite][name] = dataclasses.asdict(Part(
                    kind, each, name, result.passed, result.failed,
                    result.skipped, _judge(_names(result), ask)))
                _save(path, done)
            yield Part(**done[suite][name])


def _names(result):
    return [failure.test for failure in result.failures]


def _judge(names, tests):
    """Return a dict of failed test and what is to be said of it."""
    def failing(names, **kwargs):
        if not names:
            return set()
        regex = '^(%s)$' % '|'.join(map(re.escape, names))
        return set(_names(tests(regex, concurrency=1, **kwargs)))

    again = failing(names)
    released = failing(again, patched=False)
    return {
        name: UNSTEADY if name not in again else
        AS_RELEASED if name in released else BROKEN for name in names}


def _load(path):
    done = collections.defaultdict(dict)
    if path.exists():
        done.update(json.loads(path.read_text()))
    return done


def _save(path, done):
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(path, json.dumps(done, indent=1, sort_keys=True))
