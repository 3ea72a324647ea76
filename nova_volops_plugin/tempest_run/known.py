# SPDX-License-Identifier: Apache-2.0

"""Tests that fail on an unpatched Nova too, each with the reason."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class KnownFailure:
    """A test that may fail.

    :param test: regular expression of the test's id
    :param reason: why, in one sentence
    :param bases: the bases on which it does; all when empty
    """

    test: str
    reason: str
    bases: tuple = ()

    def matches(self, test, base):
        return (not self.bases or base in self.bases) and bool(
            re.search(self.test, test))


KNOWN = (
    KnownFailure(
        r'ServerActionsV293TestJSON\.test_rebuild_volume_backed_server',
        'It logs in to the guest by SSH even where run_validation is off.'),
)
