# SPDX-License-Identifier: Apache-2.0

"""What came of a run, test by test, read from its JUnit file."""

import collections
import dataclasses
import re
import xml.etree.ElementTree

PASSED = 'passed'
FAILED = 'failed'
SKIPPED = 'skipped'
KNOWN = 'known failure'
MENDED = 'passes though known to fail'


@dataclasses.dataclass(frozen=True)
class Result:
    """One test's.

    :param test: the test's id, without its attributes
    :param outcome: PASSED, FAILED, SKIPPED, KNOWN or MENDED
    :param seconds: float
    :param reason: why it was skipped or failed, a line
    """

    test: str
    outcome: str
    seconds: float = 0.0
    reason: str = ''


def read(path):
    """Read a JUnit file.

    :param path: what subunit2junitxml wrote
    :returns: a list of :class:`Result`
    """
    return [_result(case) for case in
            xml.etree.ElementTree.parse(path).getroot().iter('testcase')]


def _result(case):
    test = '.'.join(filter(None, (case.get('classname'), case.get('name'))))
    outcome, reason = PASSED, ''
    for child in case:
        if child.tag in ('failure', 'error'):
            outcome, reason = FAILED, _error(child.text)
        elif child.tag in ('skipped', 'skip'):
            outcome = SKIPPED
            reason = (child.get('message') or child.text or '').strip()
    return Result(re.sub(r'\[.*\]$', '', test), outcome,
                  float(case.get('time') or 0), reason)


def _error(text):
    """Return the line of a trace that says what happened."""
    # The logs of the test come first; the line after the stack does it.
    stack = (text or '').rpartition('Traceback (most recent call last):')[2]
    lines = [line for line in stack.splitlines() if line.strip()]
    return next((line.strip() for line in lines
                 if not line.startswith(' ')), '')


def judge(results, known, base):
    """Tell known failures from new ones, and those that are mended.

    :param results: a list of :class:`Result`
    :param known: a sequence of :class:`known.KnownFailure`
    :param base: the cloud's base
    :returns: a list of :class:`Result`
    """
    judged = []
    for result in results:
        reasons = [failure.reason for failure in known
                   if failure.matches(result.test, base)]
        if reasons and result.outcome == FAILED:
            result = dataclasses.replace(
                result, outcome=KNOWN, reason=reasons[0])
        elif reasons and result.outcome == PASSED:
            result = dataclasses.replace(
                result, outcome=MENDED, reason=reasons[0])
        judged.append(result)
    return judged


def count(results):
    """Return the closing words: the number of tests of each outcome.

    A known failure counts as skipped, a mended one as passed.
    """
    outcomes = collections.Counter(result.outcome for result in results)
    return '%d passed, %d failed, %d skipped' % (
        outcomes[PASSED] + outcomes[MENDED], outcomes[FAILED],
        outcomes[SKIPPED] + outcomes[KNOWN])
