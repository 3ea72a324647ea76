#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Runs every check of this repository, or the steps that are named.

Each step ends with a line 'NAME: N passed, N failed, N skipped', the whole
with 'volops: …' and exit code 0 when nothing failed. Reasons of skipped tests
and the names of what failed come before that line.
"""

import configparser
import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

from stestr.repository import abstract as stestr_repository
from stestr.repository import util as repository
import testtools

from nova_volops_plugin.bases import base
from nova_volops_plugin.bench import machine
from nova_volops_plugin.series import tested

TOP = pathlib.Path(__file__).parents[1]
VOLOPS = (sys.executable, '-m', 'nova_volops_plugin.cmd.app')
# A fifth of the time of our tests is waiting.
WORKERS = (os.cpu_count() or 1) + 1
_COUNTS = re.compile(r'(\d+) passed, (\d+) failed, (\d+) skipped$')
_SKIP = re.compile(r'skipped: (.*)$')
_FAILURE = re.compile(r'failed: (.*)$')
# One functional test of so many runs: of a series that has changed, of one
# that has and is made of the same modules, and of one that passed them all or
# is not in the sample of bases.
SHARE, SHARE_OF_OLDER, SHARE_OF_TESTED = '4', '8', '16'
# What has threads of its own.
_POOLS = 'test_volume_copies_at_once|ReimageThreadsTestCase'


@dataclasses.dataclass(frozen=True)
class Step:
    """A named part of the run.

    :param name: what it is called on the command line
    :param commands: a tuple of commands, each a tuple of str
    :param count: ``commands``: each is one check; ``stestr``: its totals
        count; ``line``: the last line of counts it prints does
    :param environ: more environment variables, a dict of str
    """

    name: str
    commands: tuple
    count: str = 'commands'
    environ: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Counts:
    """What a step gave.

    :param passed: number of checks, so are ``failed`` and ``skipped``
    :param reasons: those of the skipped checks
    :param failures: the names of the failed ones
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reasons: list = dataclasses.field(default_factory=list)
    failures: list = dataclasses.field(default_factory=list)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.reasons += other.reasons
        self.failures += other.failures

    def __str__(self):
        return '%d passed, %d failed, %d skipped' % (
            self.passed, self.failed, self.skipped)


def from_tox(name):
    """Return the step of a tox environment's commands."""
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(TOP / 'tox.ini')
    lines = tox['testenv:' + name]['commands'].replace('{posargs}', '')
    return Step(name, tuple(
        tuple(shlex.split(line)) for line in lines.strip().splitlines()))


def stestr(name):
    """Return the step of this repository's own unit or functional tests."""
    return Step(name, (('stestr', 'run', '--concurrency', str(WORKERS)),),
                'stestr',
                {'OS_TEST_PATH': './nova_volops_plugin/tests/' + name})


def steps():
    """Return all steps, those that fail fastest first."""
    return (
        from_tox('pep8'),
        Step('lint', ((*VOLOPS, 'patch', 'lint'),)),
        Step('verify', ((*VOLOPS, 'patch', 'verify'),)),
        stestr('unit'),
        from_tox('docs'),
        from_tox('api-ref'),
        from_tox('releasenotes'),
        stestr('functional'),
        *nova_steps(),
    )


def nova_steps():
    """Return the steps of the tests that the series adds to Nova.

    All unit tests run, and a share of the functional ones: they take too long
    to run all here. It is a small one where base.conf says that all passed
    with the present tree, and where another base has the same modules. Where
    Nova runs with two kinds of threads it is for the faster one; with the
    other, native ones that take twice as long, the tests of pools run. The
    older bases, whose modules are the same, run with one kind only, and those
    that are not in the sample of bases with a small share of functional tests.
    "nova-volops patch test" runs all with both.
    """
    newest, *_others = sample = base.sample()
    for name in base.names():
        each = base.Base.load(name)
        for mode in (each.modes if name == newest else
                     each.functional_modes[-1:]):
            if name not in sample or tested.is_current(each, mode):
                functional = ('--share', SHARE_OF_TESTED, name)
            elif mode != each.functional_modes[-1]:
                functional = (name, _POOLS)
            else:
                functional = ('--share', SHARE if name == newest else
                              SHARE_OF_OLDER, name)
            arguments = []
            if name in sample:
                arguments.append(('--added', '--unit', name))
            if mode in each.functional_modes:
                arguments.append(('--functional', *functional))
            yield _nova_step(name, mode, *arguments)


def _nova_step(name, mode, *arguments):
    return Step('nova-%s-%s' % (name, mode), tuple(
        (*VOLOPS, 'patch', 'test', '--threads', mode, *words)
        for words in arguments), 'line')


def run(step):
    """Run a step, its output streaming; return its :class:`Counts`."""
    counts = Counts()
    for command in step.commands:
        runs = _kept_runs()
        lines, code = _stream(command, dict(os.environ, **step.environ))
        found = _READERS[step.count](lines, code)
        if step.count == 'stestr' and _kept_runs() == runs:
            found = None
        if found is None or (code and not found.failed and
                             not found.skipped):
            # It broke down, whatever it counted until then.
            found = found or Counts()
            found.failed += 1
            found.failures.append(
                '%s ended with exit code %d' % (shlex.join(command), code))
        counts.add(found)
    return counts


def _stream(command, environ):
    print('$ %s' % shlex.join(command), flush=True)
    lines = []
    try:
        with subprocess.Popen(
                command, cwd=TOP, env=environ, stdout=subprocess.PIPE,
                text=True, errors='replace') as process:
            for line in process.stdout:
                print(line, end='', flush=True)
                lines.append(line.rstrip('\n'))
        return lines, process.returncode
    except FileNotFoundError:
        print('%s is not installed' % command[0])
        return lines, 127


def _read_command(lines, code):
    # What has no counts fails as what breaks down.
    return None if code else Counts(passed=1)


def _repository():
    return repository.get_repo_open(repo_url=str(TOP))


def _kept_runs():
    """Return the number of runs that stestr has kept."""
    try:
        return _repository().count()
    except stestr_repository.RepositoryNotFound:
        return 0


def _read_stestr(lines, code):
    """Read the run that stestr has kept last."""
    if not _kept_runs():
        return None
    tests = []
    result = testtools.StreamToDict(tests.append)
    result.startTestRun()
    _repository().get_latest_run().get_test().run(result)
    result.stopTestRun()
    counts = Counts()
    for test in tests:
        if test['status'] in ('success', 'xfail'):
            counts.passed += 1
        elif test['status'] == 'skip':
            counts.skipped += 1
            reason = test['details'].get('reason')
            counts.reasons.append('%s: %s' % (
                test['id'], reason.as_text() if reason else None))
        else:
            counts.failed += 1
            counts.failures.append(test['id'])
    # A run without a test proves nothing.
    return counts if tests else None


def _read_line(lines, code):
    found = [match for line in lines if (match := _COUNTS.search(line))]
    if not found:
        return None
    return Counts(
        *map(int, found[-1].groups()),
        [match[1] for line in lines if (match := _SKIP.match(line))],
        [match[1] for line in lines if (match := _FAILURE.match(line))])


_READERS = {
    'commands': _read_command,
    'stestr': _read_stestr,
    'line': _read_line,
}


def main(names):
    known = {step.name: step for step in steps()}
    for name in names:
        if name not in known:
            print('there is no step %r; the steps are: %s' %
                  (name, ' '.join(known)), file=sys.stderr)
            return 2
    total = Counts()
    for name in names or known:
        print('== %s' % name, flush=True)
        start, idle = time.monotonic(), machine.idled()
        counts = run(known[name])
        print('%s took %d s; a processor idled for %d s of them' %
              (name, time.monotonic() - start, machine.idled() - idle))
        print('%s: %s' % (name, counts), flush=True)
        total.add(counts)
    for reason in total.reasons:
        print('skipped: %s' % reason)
    for failure in total.failures:
        print('failed: %s' % failure)
    print('volops: %s' % total)
    return 1 if total.failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
