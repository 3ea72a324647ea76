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
