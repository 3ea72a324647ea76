# SPDX-License-Identifier: Apache-2.0

"""Names SQL statements."""

import re

# Some databases are told so by a statement, others by other means.
_TRANSACTION = ('BEGIN', 'SAVEPOINT', 'RELEASE', 'ROLLBACK')
_FIRST_TABLE = re.compile(
    r'\b(?:FROM|INTO|UPDATE)\s+(?:\(\s*SELECT\b.*?\bFROM\s+)?["`]?(\w+)',
    re.DOTALL | re.IGNORECASE)


def name_of(statement):
    """Return what a statement does to which table.

    :returns: for example ``SELECT instances``; None for what only begins or
        ends a transaction
    """
    verb = statement.split(None, 1)[0].upper()
    if verb in _TRANSACTION:
        return None
    match = _FIRST_TABLE.search(statement)
    return '%s %s' % (verb, match[1]) if match else verb
