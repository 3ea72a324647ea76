# SPDX-License-Identifier: Apache-2.0

"""What a scenario claims, and what speaks for it."""

import dataclasses

PASSED = 'passed'
FAILED = 'failed'
SKIPPED = 'skipped'


@dataclasses.dataclass(frozen=True)
class Claim:
    """One checked statement.

    :param scenario: the name of the scenario
    :param text: what ought to be true, for a person
    :param outcome: PASSED, FAILED or SKIPPED
    :param evidence: what was seen, or what is missing to look
    """

    scenario: str
    text: str
    outcome: str
    evidence: str


def count(claims):
    """Return the closing words: the number of claims of each outcome."""
    return ', '.join(
        '%d %s' % (sum(claim.outcome == outcome for claim in claims), outcome)
        for outcome in (PASSED, FAILED, SKIPPED))
