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

"""Tables in documents that programs write: a line a row."""

import csv
import io


def lines(rows):
    """Return a table as lines of reStructuredText.

    :param rows: an iterable of sequences, the names of the columns first
    :returns: a list of str, the last one empty
    """
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(rows)
    return ['.. csv-table::', '   :header-rows: 1', '',
            *('   ' + line for line in text.getvalue().splitlines()), '']
