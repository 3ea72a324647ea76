# SPDX-License-Identifier: Apache-2.0

"""Writes the page of the test results from the records."""

from nova_volops_plugin.proof import catalog
from nova_volops_plugin.proof import records
from nova_volops_plugin import result

_HEAD = '''\
.. Written by "nova-volops proof"; do not edit.

============
Test results
============

What ran on the trees of the series, with the tree, the day and the command.
``nova-volops proof`` runs what is missing or was of another tree, and writes
this page; ``nova-volops proof --status`` says what that would be. A tree is
the one that ``nova-volops patch verify`` compares, of one topic where the
command names one. A result is old when the tree is another one by now,
whatever has changed in it. What is skipped has its reason in the output of
the command.
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
    lacking = [run for run in runs if not kept.of(run)]
    if lacking:
        title = 'What has not run'
        parts.append('%s\n%s\n\n%s' % (
            title, '=' * len(title), ''.join(
                '* ``%s``\n' % ' '.join(run.words) for run in lacking)))
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
    heads = 'Base', 'Tree', 'Passed', 'Failed', 'Skipped', 'Date', 'Command'
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for row in (heads, *rows):
        for number, cell in enumerate(row):
            lines.append('   %s - %s' % ('*' if number == 0 else ' ', cell))
    return '\n'.join(lines) + '\n'
