# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
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
