# SPDX-License-Identifier: Apache-2.0

"""The report of a history that fails."""

import re

# Roles differ by number only, and lists by their length.
_VARIABLE = re.compile(
    r'[0-9a-f]{8}-[0-9a-f-]{27}|req-\S+|\[[^\]]*\]|\d+')


class Broken(Exception):
    """Something is wrong that no trouble of the history explains.

    :param kind: what, one of a few words
    :param text: the same, a sentence
    :param step: the word of the operation after which it was seen
    :ivar signature: what tells it from other defects, a str
    """

    def __init__(self, kind, text, step='end'):
        super().__init__('%s: %s' % (kind, text))
        self.kind = kind
        self.signature = ' '.join(('%s, %s: %s' % (
            kind, step, _VARIABLE.sub('*', str(text)))).split())
