# SPDX-License-Identifier: Apache-2.0

"""Generated tables in documents: one line per row."""

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
