# SPDX-License-Identifier: Apache-2.0

"""What comes of one thing that a check looks at, and how many there are."""

import dataclasses

PASSED = 'passed'
FAILED = 'failed'
SKIPPED = 'skipped'


@dataclasses.dataclass(frozen=True)
class Result:
    """What came of one.

    :param cells: what the check's table says of it, a tuple
    :param result: PASSED, FAILED or SKIPPED
    """

    cells: tuple
    result: str


def of(passed):
    """Return PASSED or FAILED."""
    return PASSED if passed else FAILED


def count(results):
    """Return the closing words: how many there are of each.

    :param results: a list of what has a ``result``
    """
    return ', '.join(
        '%d %s' % (sum(each.result == kind for each in results), kind)
        for kind in (PASSED, FAILED, SKIPPED))
