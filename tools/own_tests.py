#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Runs this repository's own tests, or a part of them, and counts them.

Usage: own_tests.py [--within SECONDS] FOLDER [first|rest|all]

The first part is about one in SHARE of the tests, others with each commit; the
rest is what it leaves. With --within they run share by share, and none begins
after so many seconds; what is left is skipped.
The last line is 'own: N passed, N failed, N skipped'.
"""

import argparse
import configparser
import hashlib
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import subunit
import testtools

SHARE = 8
_PASSED = ('success', 'xfail')
_SKIPPED = 'skip'


def shared_out(names, seed, group):
    """Return the tests of each share, a list of SHARE lists.

    :param names: the names of all tests
    :param seed: a str; with another one they are other tests
    :param group: a regular expression; tests in which it matches the same
        stay together, as they share a cloud
    """
    shares = [[] for _number in range(SHARE)]
    for name in names:
        match = re.search(group, name) if group else None
        key = '%s %s' % (seed, match[0] if match else name)
        digest = hashlib.sha256(key.encode()).hexdigest()
        shares[int(digest, 16) % SHARE].append(name)
    return shares


class Run:
    """Prints each test as it ends, and counts.

    :param total: how many tests there will be
    :ivar counts: a dict of how many passed, failed and were skipped
    """

    def __init__(self, total):
        self.total = total
        self.counts = dict.fromkeys(('passed', 'failed', 'skipped'), 0)
        self.said = []

    def on_test(self, test):
        """Take a test, a dict of testtools.StreamToDict."""
        if test['status'] == 'exists':
            return
        name, details = test['id'], test['details']
        kind = 'failed'
        if test['status'] in _PASSED:
            kind = 'passed'
        elif test['status'] == _SKIPPED:
            kind = 'skipped'
            reason = details.get('reason')
            name += ': ' + reason.as_text().strip() if reason else ''
        self.counts[kind] += 1
        if kind != 'passed':
            self.said.append('%s: %s' % (kind, name))
        if kind == 'failed':
            for title, content in sorted(details.items()):
                if content.content_type.type == 'text':
                    print('%s:\n%s' % (title, content.as_text().rstrip()))
        print('[%d/%d] %s %s%s' % (
            sum(self.counts.values()), self.total, kind, name,
            _took(*test['timestamps'])), flush=True)

    def skip(self, names, reason):
        self.counts['skipped'] += len(names)
        self.said.append('skipped: %d tests: %s' % (len(names), reason))

    def __str__(self):
        return ', '.join('%d %s' % (number, kind)
                         for kind, number in self.counts.items())


def _took(start, end):
    return ' (%.1f s)' % (end - start).total_seconds() if start and end else ''


def _stestr(*words, **kwargs):
    return subprocess.Popen(
        ['stestr', *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        **kwargs)


def _all_names():
    """Return the names of all tests, None when they cannot be loaded."""
    if not pathlib.Path('.stestr').is_dir():
        subprocess.run(['stestr', 'init'], check=True)
    process = _stestr('list', stderr=subprocess.STDOUT, text=True)
    output = process.communicate()[0]
    if process.returncode:
        print(output)
        return None
    return re.findall(r'^[\w.]+\.test_\S.*$', output, re.MULTILINE)


def _seed():
    """Return the id of the tree that is checked out."""
    done = subprocess.run(
        ['git', 'rev-parse', 'HEAD^{tree}'], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip()


def _run(names, run):
    with tempfile.NamedTemporaryFile('w', prefix='own-tests-') as listed:
        listed.write('\n'.join(names) + '\n')
        listed.flush()
        # A fifth of their time is waiting.
        process = _stestr('run', '--subunit', '--load-list', listed.name,
                          '--concurrency', str((os.cpu_count() or 1) + 1))
        result = testtools.StreamToDict(run.on_test)
        result.startTestRun()
        subunit.ByteStreamToStreamResult(
            process.stdout, non_subunit_name='stdout').run(result)
        result.stopTestRun()
        process.wait()


def _run_all(batches, within):
    start = time.monotonic()
    run = Run(sum(map(len, batches)))
    for names in filter(None, batches):
        if time.monotonic() - start >= within:
            run.skip(names, 'time: they were given %d s' % within)
        else:
            _run(names, run)
    missing = run.total - sum(run.counts.values())
    if missing > 0 and not run.counts['failed']:
        run.counts['failed'] = missing
        run.said.append('failed: %d tests did not end' % missing)
    return run


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', choices=('unit', 'functional'))
    parser.add_argument('part', choices=('first', 'rest', 'all'),
                        default='all', nargs='?')
    parser.add_argument('--within', type=float, default=math.inf,
                        metavar='SECONDS')
    parsed = parser.parse_args(arguments)
    os.environ['OS_TEST_PATH'] = (
        './nova_volops_plugin/tests/' + parsed.folder)
    conf = configparser.ConfigParser(interpolation=None)
    conf.read('.stestr.conf')
    names = _all_names()
    if not names:
        # A run without a test proves nothing.
        return 'there is no test, or not all of them can be loaded'
    shares = shared_out(
        names, _seed(), conf.get('DEFAULT', 'group_regex', fallback=None))
    shares = {'first': shares[:1], 'rest': shares[1:], 'all': shares}[
        parsed.part]
    # A batch waits for its longest test, so there are no more than need be.
    run = _run_all([sum(shares, [])] if parsed.within == math.inf else shares,
                   parsed.within)
    for line in run.said:
        print(line)
    print('own: %s' % run)
    return run.counts['failed'] > 0


if __name__ == '__main__':
    sys.exit(main())
