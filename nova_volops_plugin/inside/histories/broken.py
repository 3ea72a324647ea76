# SPDX-License-Identifier: Apache-2.0

"""What is told of a history in which something is wrong."""


class Broken(Exception):
    """Something is wrong that no trouble of the history explains.

    :ivar kind: what, for telling defects apart
    """

    def __init__(self, kind, text):
        super().__init__('%s: %s' % (kind, text))
        self.kind = kind
