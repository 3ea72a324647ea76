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
"""What a check of a database consists of."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Step:
    """What came of one step.

    :param name: what was done
    :param wanted: a pattern for the beginning of ``found``
    :param found: what came of it
    """

    name: str
    wanted: str
    found: str

    @property
    def passed(self):
        """Whether it came as wanted."""
        return re.match(self.wanted, self.found) is not None
