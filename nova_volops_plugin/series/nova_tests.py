# SPDX-License-Identifier: Apache-2.0

"""Runs Nova's own tests on a tree with stestr."""

import dataclasses
import logging
import os
import re
import shutil
import subprocess

from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import threads
from nova_volops_plugin import child
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import touched
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)

KINDS = ('unit', 'functional')
# Seconds one test may take; Nova's own figure suits an idle machine.
_TIMEOUT = 600
_TOTAL = re.compile(r'^ - (\w[\w ]+): (\d+)$', re.MULTILINE)
_NO_TEST = "regex doesn't match with anything"
# A record that the next one replaces.
_COUNTER = {'counter': True}
_DONE = re.compile(r'\{\d+\} .* \.\.\. (ok|FAILED|SKIPPED)')
_PASSED = re.compile(r'^\{\d+\} (.*) \[(\d+)\..*\] \.\.\. ok$', re.MULTILINE)
# What stestr finds where only some modules and classes are wanted. Finding
# tests in all of Nova's takes longer than many a module's tests.
_NAMED = '''\
import pydoc
import unittest


def load_tests(loader, tests, pattern):
    # What patches the standard library for eventlet, in one release the first
    # of these, in another one the second.
    for name in ('nova.tests.%s', 'nova.test'):
        pydoc.locate(name)
    suite = unittest.TestSuite()
    for name in %r:
        found = pydoc.locate(name)
        if not isinstance(found, type) or issubclass(
                found, unittest.TestCase):
            suite.addTest(loader.loadTestsFromName(name))
    return suite
'''


@dataclasses.dataclass(frozen=True)
class Failure:
    """A test that failed.

    :param test: its name
    :param mode: what it ran with, one of
        :data:`nova_volops_plugin.bases.threads.MODES`
    """

    test: str
    mode: str

    def __str__(self):
        return '%s (%s threads)' % (self.test, self.mode)


@dataclasses.dataclass(frozen=True)
class Result:
    """What a run gave.

    :param passed: number of tests, so are ``failed`` and ``skipped``
    :param failures: a :class:`Failure` each
    :param logs: the paths of the runs' full output
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: tuple = ()
    logs: tuple = ()

    def __add__(self, other):
        return Result(*(getattr(self, field.name) +
                        getattr(other, field.name)
                        for field in dataclasses.fields(self)))

    def __str__(self):
        return '%d passed, %d failed, %d skipped' % (
            self.passed, self.failed, self.skipped)


def run(state, base, kinds=KINDS, regex=None, patched=True,
        concurrency=None, added=False, mode=None, share=None, only=None):
    """Run tests of a base's tree in its environment.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param kinds: some of KINDS
    :param regex: which tests, as stestr takes it; by default those that the
        series touches
    :param patched: on the patched tree, or on the one as released
    :param concurrency: number of processes, by default one a processor, and
        two for tests that wait half of the time
    :param added: without a regex, only the tests the series adds or changes
    :param mode: the threads Nova runs with, by default all kinds that the base
        has, one after the other
    :param share: of the functional tests, about one in so many of those in
        the modules the series adds
    :param only: the names of topics: the tree has no others but those that
        they need, and without a regex their tests run; by default all
    :returns: a :class:`Result`
    :raises NoPython: no Python here fits the base
    :raises BadInput: the regular expression is none, or selects no test; the
        base does not run with such threads
    :raises VolopsError: the tests could not be run
    """
    try:
        re.compile(regex or '')
    except re.error as error:
        raise exceptions.BadInput(
            '%r is no regular expression: %s' % (regex, error))
    modes(base, mode)
    env = environment.ensure(state, base)
    tree = series_tree.ensure(state, base, patched, only=only)
    result = Result()
    for kind in kinds:
        names, chosen = None, regex
        if not regex:
            if share and kind == 'functional':
                names = touched.tests(base, tree, kind, True, only)
                chosen = '|'.join(
                    touched.sample(tree, names, base.tree, share))
            elif added:
                names, chosen = touched.added(base, tree, kind, only)
            else:
                names = touched.tests(base, tree, kind, only=only)
        result += run_named(state, base, env, tree, kind, names, concurrency,
                            mode, chosen)
    if not result.passed and not result.failed and not result.skipped:
        which = ' or '.join(kinds)
        raise exceptions.BadInput(
            'no %s test of nova %s matches %r' % (which, base.name, regex)
            if regex else
            'the series touches no %s test in %s; say which by a REGEX' %
            (which, tree))
    return result


def run_named(state, base, env, tree, kind, names, concurrency=None,
              mode=None, regex=None):
    """Run some test modules and classes of a tree in all kinds of threads.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param env: the :class:`pathlib.Path` of its environment
    :param tree: the :class:`pathlib.Path` of the tree
    :param kind: one of KINDS
    :param names: dotted names of modules and classes
    :param concurrency: as in :func:`run`, so are the others
    :returns: a :class:`Result`, of nothing without names and regex
    :raises VolopsError: the tests could not be run
    """
    result = Result()
    for each in modes(base, mode) if names or regex else ():
        if kind == 'functional' and each not in base.functional_modes:
            continue
        if kind == 'functional' and not shutil.which('uptime'):
            # Each of those that start a compute would fail.
            raise exceptions.VolopsError(
                "Nova's functional tests run the program uptime, which is "
                'not on PATH; install it (apt-get install procps)')
        LOG.info('running the %s tests of nova %s with %s threads',
                 kind, base.name, each)
        result += _stestr(state, base, env, tree, kind, each, names, regex,
                          concurrency or _processes(kind, each))
    return result


def _processes(kind, mode):
    waits = kind == 'functional' and mode == threads.NATIVE
    return (os.cpu_count() or 1) * (2 if waits else 1)


def modes(base, only=None):
    """Return the kinds of threads a base's tests run with, a tuple.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param only: the kind that is asked for, by default all
    :raises BadInput: the base does not run with such threads
    """
    if only and only not in base.modes:
        raise exceptions.BadInput(
            'nova %s does not run with %s threads; it does with %s' %
            (base.name, only, ' and '.join(base.modes)))
    return (only,) if only else base.modes


def environ(env, folder, mode):
    """Return the environment variables Nova's tests need, a dict of str.

    :param env: the virtual environment's :class:`pathlib.Path`
    :param folder: where lock files may be put
    :param mode: the threads they run with
    """
    variables = {name: value for name, value in os.environ.items()
                 if not name.startswith(('OS_', 'PYTHON', 'VIRTUAL_ENV'))}
    variables.update(
        LC_ALL='C.UTF-8',
        OS_STDOUT_CAPTURE='1',
        OS_STDERR_CAPTURE='1',
        OS_TEST_TIMEOUT=str(_TIMEOUT),
        PYTHONPYCACHEPREFIX=str(folder.parent / 'bytecode'),
        # os-brick locks in the iSCSI initiator's folder where it is unset.
        OSLO_LOCK_PATH=str(folder / 'locks'),
        PATH='%s:%s' % (env / 'bin', os.environ.get('PATH', os.defpath)),
        **threads.environ(mode))
    return variables


def _stestr(state, base, env, tree, kind, mode, names, regex, concurrency):
    folder = state.path / 'stestr' / '-'.join((tree.name, kind, mode))
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'locks').mkdir(parents=True)
    (folder / 'repository').mkdir()
    log = folder / 'log'
    command = [
        env / 'bin/stestr', *_found_in(folder, kind, names),
        '--repo-url', folder / 'repository']
    variables = environ(env, folder, mode)
    run = ['run', '--concurrency', str(concurrency)]
    if regex:
        run.append(regex)
    excluded = threads.exclusions(tree, kind, mode)
    if excluded:
        (folder / 'excluded').write_text('\n'.join(excluded))
        run += ['--exclude-list', folder / 'excluded']
    with open(log, 'wb') as writer, child.running(
            command + run, cwd=tree, env=variables, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT) as process:
        counts = dict.fromkeys(('ok', 'FAILED', 'SKIPPED'), 0)
        for line in process.stdout:
            writer.write(line)
            match = _DONE.match(line.decode(errors='replace'))
            if match:
                counts[match[1]] += 1
                LOG.info('%d passed, %d failed, %d skipped',
                         *counts.values(), extra=_COUNTER)
        LOG.info('', extra=_COUNTER)
        process.wait()
    text = log.read_text(errors='replace')
    totals = dict(_TOTAL.findall(text))
    if 'Passed' not in totals:
        if _NO_TEST in text:
            return Result(logs=(log,))
        raise exceptions.VolopsError(
            'the %s tests of nova %s did not run with %s threads; the end of '
            '%s:\n%s' % (
                kind, base.name, mode, log, child.tail(text)))
    failures = child.run(command + ['failing', '--list'], cwd=tree,
                         env=variables).stdout.split()
    late = _late(text)
    passed, failed, skipped = (
        sum(int(totals.get(name, 0)) for name in names) for names in (
            ('Passed', 'Expected Fail'), ('Failed', 'Unexpected Success'),
            ('Skipped',)))
    if process.returncode and not failed:
        raise exceptions.VolopsError(
            'stestr failed without a failed test; see %s' % log)
    return Result(
        passed - len(late), failed + len(late), skipped, tuple(
            Failure(name, mode) for name in sorted(failures + late)), (log,))


def _late(output):
    """Return the names of the tests that passed after their time was out.

    The exception that ends such a test is an ordinary one. What catches all
    of these, as Nova's ``Service.stop`` does, lets the test pass.
    """
    late = [name for name, seconds in _PASSED.findall(output)
            if int(seconds) >= _TIMEOUT]
    for name in late:
        LOG.warning('%s passed, but only after its %d seconds were over',
                    name, _TIMEOUT)
    return late


def _found_in(folder, kind, names):
    """Return the options that tell stestr where to look for tests."""
    if not names:
        return ['--test-path=./nova/tests/' + kind, '--top-dir=./']
    named = folder / 'named'
    named.mkdir()
    (named / 'test_named.py').write_text(_NAMED % (kind, names))
    return ['--test-path', named, '--top-dir', named]
