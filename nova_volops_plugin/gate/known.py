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
