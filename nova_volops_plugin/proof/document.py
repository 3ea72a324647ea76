# SPDX-License-Identifier: Apache-2.0

"""Writes the page of the test results from the records."""

from nova_volops_plugin import csv_table
from nova_volops_plugin.proof import catalog
from nova_volops_plugin.proof import records
from nova_volops_plugin import result

_HEAD = '''\
.. Written by "nova-volops proof"; do not edit.

============
Test results
============

``nova-volops proof`` runs the checks that are missing, failed or old, and
writes this page; ``nova-volops proof --status`` lists them. The tree is
the one that ``nova-volops patch verify`` compares, of one topic where the
command names one. A result is valid for a later tree, too, if the two differ
only in files that the check does not read: no test reads docs and release
notes, no unit test a functional test, and no cloud a module of tests; and with
``--added --only`` the tests of the topics that are needed do not run. Else it
is old. The output of a command gives the reason for each skipped test. A patch
that is line for line the same in the next newer base is checked alone there,
and counted as skipped.
'''


def text(kept, runs):
    """Return the page, a str.

    :param kept: the :class:`records.Records`
    :param runs: every :class:`catalog.Run` of all bases
    """
    parts = [_HEAD]
    for check in catalog.CHECKS:
        rows = [_row(run, kept) for run in runs
                if run.check.name == check.name and kept.of(run)]
        if rows:
            parts.append('%s\n%s\n\n%s' % (
                check.title, '=' * len(check.title), _table(rows)))
    lacking = {}
    for run in runs:
        if not kept.of(run):
            words = ' '.join('BASE' if word == run.base.name else word
                             for word in run.words)
            lacking.setdefault(words, []).append(run.base.name)
    if lacking:
        title = 'Not run yet'
        parts.append('%s\n%s\n\n%s' % (title, '=' * len(title), ''.join(
            '* ``%s``: %s\n' % (words, ', '.join(bases))
            for words, bases in lacking.items())))
    return '\n'.join(parts)


def _row(run, kept):
    record = kept.of(run)
    state = kept.state(run)
    return (run.base.name,
            '``%s``%s' % (record['trees'][run.base.name][:8],
                          ' (old)' * (state == records.OLD)),
            *(str(record['counts'][kind]) for kind in (
                result.PASSED, result.FAILED, result.SKIPPED)),
            record['date'], '``%s``' % ' '.join(record['command']))


def _table(rows):
    return '\n'.join(csv_table.lines([(
        'Base', 'Tree', 'Passed', 'Failed', 'Skipped', 'Date', 'Command'),
        *rows]))
