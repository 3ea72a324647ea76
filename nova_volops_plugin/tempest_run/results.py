# SPDX-License-Identifier: Apache-2.0

"""The results of a run by test, from its JUnit file."""

import dataclasses
import re
import xml.etree.ElementTree

from nova_volops_plugin import result

KNOWN = 'known failure'
MENDED = 'passes though known to fail'


@dataclasses.dataclass(frozen=True)
class Test:
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

    @property
    def result(self):
        """What it counts as."""
        return {KNOWN: result.SKIPPED, MENDED: result.PASSED}.get(
            self.outcome, self.outcome)


def read(path):
    """Read a JUnit file.

    :param path: what subunit2junitxml wrote
    :returns: a list of :class:`Test`
    """
    return [_result(case) for case in
            xml.etree.ElementTree.parse(path).getroot().iter('testcase')]


def _result(case):
    test = '.'.join(filter(None, (case.get('classname'), case.get('name'))))
    outcome, reason = result.PASSED, ''
    for child in case:
        if child.tag in ('failure', 'error'):
            outcome, reason = result.FAILED, _error(child.text)
        elif child.tag in ('skipped', 'skip'):
            outcome = result.SKIPPED
            reason = (child.get('message') or child.text or '').strip()
    return Test(re.sub(r'\[.*\]$', '', test), outcome,
                float(case.get('time') or 0), reason)


def _error(text):
    """Return the line of a trace that says what happened."""
    # The logs of the test come first; the line after the stack does it.
    stack = (text or '').rpartition('Traceback (most recent call last):')[2]
    lines = [line for line in stack.splitlines() if line.strip()]
    return next((line.strip() for line in lines
                 if not line.startswith(' ')), '')


def judge(tests, known):
    """Tell known failures from new ones, and those that are fixed.

    :param tests: a list of :class:`Test`
    :param known: a dict as :data:`known.KNOWN`
    :returns: a list of :class:`Test`
    """
    judged = []
    for test in tests:
        outcome = {result.FAILED: KNOWN, result.PASSED: MENDED}.get(
            test.outcome)
        reason = next((reason for pattern, reason in known.items()
                       if re.search(pattern, test.test)), None)
        judged.append(dataclasses.replace(
            test, outcome=outcome, reason=reason)
            if outcome and reason else test)
    return judged
