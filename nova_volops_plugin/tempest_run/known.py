# SPDX-License-Identifier: Apache-2.0

"""Tests that fail on an unpatched Nova too, each with the reason."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class KnownFailure:
    """A test that may fail.

    :param test: regular expression of the test's id
    :param reason: why, in one sentence
    """

    test: str
    reason: str

    def matches(self, test):
        return bool(re.search(self.test, test))


KNOWN = (
    KnownFailure(
        r'ServerActionsV293TestJSON\.test_rebuild_volume_backed_server',
        'It logs in to the guest by SSH even where run_validation is off.'),
)
