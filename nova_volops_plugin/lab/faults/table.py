# SPDX-License-Identifier: Apache-2.0

"""Formats cases as a matrix, as rows, as counts and as a document."""

import collections
import itertools

from nova_volops_plugin import csv_table
from nova_volops_plugin.lab.faults import matrix as cases_of
from nova_volops_plugin import result

MARKS = {result.PASSED: '', cases_of.EXPLAINED: '*', result.FAILED: '!'}
ROW = ('Base', 'Flow', 'Call', 'Fault', 'Outcome', 'Told', 'Result', 'Broken',
       'Reason', 'Seconds')

_HEAD = ('Base', 'Flow', 'Call')
_OUTCOMES = ('done', 'undone', 'error', 'other')
_SUMMARY = ('Flow', 'Calls', 'Cases', *map(str.capitalize, _OUTCOMES),
            'Explained', 'Failed')


def cell(case):
    """Return what a cell of the matrix says of a case."""
    return case.outcome + MARKS[case.result]


def describe(case):
    """Return a line on a case that failed."""
    return '%s, %s fails by %s: %s' % (
        case.flow, case.call, case.fault,
        '; '.join('%s (%s)' % (text, kind) for kind, text in case.broken))


def row(case):
    """Return all of a case, in the order of ROW."""
    return (case.base, case.flow, case.call, case.fault, case.outcome,
            case.told, case.result, [list(pair) for pair in case.broken],
            case.reason, case.seconds)


def matrix(cases):
    """Return columns and rows: a row for each call, a column for each fault.

    :param cases: a list of :class:`nova_volops_plugin.lab.faults.matrix.Case`
    """
    faults = _faults(cases)
    return (*_HEAD, *faults), [
        (*head, *_cells(group, faults))
        for head, group in itertools.groupby(
            cases, key=lambda case: (case.base, case.flow, case.call))]


def _faults(cases):
    """Return the faults, in the order of the call that has most of them."""
    by_call = collections.defaultdict(list)
    for case in cases:
        by_call[case.base, case.flow, case.call].append(case.fault)
    most = max(by_call.values(), key=len, default=[])
    return list(dict.fromkeys(itertools.chain(most, *by_call.values())))


def _cells(cases, faults):
    by_fault = {case.fault: cell(case) for case in cases}
    return [by_fault.get(fault, '-') for fault in faults]


def document(cases, tree):
    """Return what came of the cases as reStructuredText, a row for each flow.

    What is to be expected is explained below the table. Each case is in the
    results of the run: ``--results`` keeps them.

    :param cases: those of one base
    :param tree: the git id of the tree that was run, as in ``base.conf``
    """
    lines = ['.. Made by "nova-volops lab faults --document"; do not edit.',
             '',
             'Of %d cases on the tree ``%s``, %d passed, %d are explained and '
             '%d failed.' % (len(cases), tree, *cases_of.count(cases)), '']
    reasons = {}
    rows = [_SUMMARY]
    for flow, group in itertools.groupby(cases, key=lambda case: case.flow):
        rows.append(_flow(flow, list(group), reasons))
    lines += csv_table.lines(rows)
    for reason, number in reasons.items():
        lines += ['%d. %s' % (number, reason), '']
    return '\n'.join(lines)


def _flow(flow, cases, reasons):
    """Return the row of a flow; number the reasons that are new in it."""
    numbers = sorted({
        reasons.setdefault(case.reason, len(reasons) + 1)
        for case in cases if case.reason})
    outcomes = collections.Counter(case.outcome for case in cases)
    _passed, explained, failed = cases_of.count(cases)
    return (flow, len({case.call for case in cases}), len(cases),
            *(outcomes[outcome] for outcome in _OUTCOMES),
            '%d (%s)' % (explained, ', '.join(map(str, numbers)))
            if explained else 0, failed)
