# SPDX-License-Identifier: Apache-2.0

"""The steps of a database check."""

import dataclasses
import re

from nova_volops_plugin import result


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
    def result(self):
        """PASSED if it came as wanted, else FAILED."""
        return result.of(re.match(self.wanted, self.found))
