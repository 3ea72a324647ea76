# SPDX-License-Identifier: Apache-2.0

"""The result of one item of a check, and counts of results."""

import dataclasses

PASSED = 'passed'
FAILED = 'failed'
SKIPPED = 'skipped'


@dataclasses.dataclass(frozen=True)
class Result:
    """What came of one, or of several that a row stands for.

    What a check finds may have the same attributes and more of its own.

    :param cells: what the check's table says of it, a tuple
    :param result: PASSED, FAILED or SKIPPED
    :param number: of how many
    """

    cells: tuple
    result: str
    number: int = 1


def of(passed):
    """Return PASSED or FAILED."""
    return PASSED if passed else FAILED


def counts(results):
    """Return how many there are of each, a dict of int.

    :param results: a list of what is as a :class:`Result`
    """
    return {kind: sum(getattr(each, 'number', 1) for each in results
                      if each.result == kind)
            for kind in (PASSED, FAILED, SKIPPED)}


def count(results):
    """Return the closing words: how many there are of each."""
    return ', '.join('%d %s' % (number, kind)
                     for kind, number in counts(results).items())
