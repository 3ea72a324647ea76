# SPDX-License-Identifier: Apache-2.0

"""The claims of a scenario and their evidence."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Claim:
    """One checked statement.

    :param scenario: the name of the scenario
    :param text: what ought to be true, for a person
    :param result: PASSED, FAILED or SKIPPED of
        :mod:`nova_volops_plugin.result`
    :param evidence: what was seen, or what is missing to look
    """

    scenario: str
    text: str
    result: str
    evidence: str

    @property
    def cells(self):
        """All of it, as a row of the demo's table."""
        return dataclasses.astuple(self)
