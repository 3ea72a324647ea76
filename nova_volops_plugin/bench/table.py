# SPDX-License-Identifier: Apache-2.0

"""Shows results: as rows and as a document."""

import statistics

from nova_volops_plugin.bench import quartiles
from nova_volops_plugin.bench import results
from nova_volops_plugin import csv_table

COLUMNS = ('Benchmark', 'Point', 'Way', 'Seconds', 'Quarters', 'Ratio',
           *(kind.capitalize() for kind in results.KINDS), 'Other')


def rows(result):
    """Return the rows of a result, a list of tuples in the order of COLUMNS.

    A row is a way at a point; its ratio is that to the last way.

    :param result: a :class:`nova_volops_plugin.bench.results.Result`
    """
    return [
        (result.name, point, way, *_times(result, way, point),
         *(_counts(result, way, point, kind) for kind in results.KINDS),
         _extra(result.of(way, point)))
        for point in result.points() for way in result.ways()
        if result.of(way, point)]


def _times(result, way, point):
    found = result.seconds(way, point)
    others = result.of(result.ways()[-1], point)
    ratio = ''
    if way != result.ways()[-1] and others:
        compared = quartiles.ratio(
            [sample.seconds for sample in result.of(way, point)],
            [sample.seconds for sample in others])
        if compared:
            ratio = '%.2f (%.2f-%.2f)' % (
                compared.median, compared.low, compared.high)
    return ('%.3f' % found.median, '%.3f-%.3f' % (found.low, found.high),
            ratio)


def _counts(result, way, point, kind):
    return '-'.join(str(count) for count in _ends(
        result.counts(way, point, kind)))


def _ends(counts):
    """Return the first and the last of sorted numbers, once if alike."""
    return dict.fromkeys(counts[:1] + counts[-1:])


def _extra(samples):
    return ', '.join('%s %s' % (name.replace('_', ' '), _short(
        statistics.median(sample.extra[name] for sample in samples)))
        for name in samples[0].extra)


def _short(number):
    if number == int(number) or number >= 100:
        return '%.0f' % number
    return '%.3f' % number


def document(found, benchmarks, plots=True):
    """Return a chapter on the results as reStructuredText.

    :param found: a list of results of one base and profile
    :param benchmarks: the modules of the benchmarks
    :param plots: whether it shows the plots
    """
    modules = {benchmark.NAME: benchmark for benchmark in benchmarks}
    lines = ['.. Made by "nova-volops bench --document"; do not edit.', '']
    for result in found:
        lines += _section(result, modules[result.name], plots)
    return '\n'.join(lines)


def picture(result):
    """Return the name of the file with the plot of a result."""
    return '%s-%s.png' % (result.label, result.name)


def has_picture(result, benchmark):
    """Whether the documents show a plot of a result: few are looked at."""
    return getattr(benchmark, 'PLOT', False) and len(result.points()) > 1


def _section(result, benchmark, plots):
    lines = [benchmark.TITLE, '-' * len(benchmark.TITLE), '']
    shown = rows(result)
    # What was not measured or counted anywhere needs no column.
    used = [number for number, _column in enumerate(COLUMNS)
            if number and any(row[number] not in ('', '0')
                              for row in shown)]
    if shown:
        names = (None, benchmark.AXIS.capitalize(), *COLUMNS[2:])
        lines += csv_table.lines(
            [cells[number] for number in used]
            for cells in (names, *shown))
    lines += _least(result, benchmark)
    lines += ['*The limit:* ' + benchmark.LIMIT, '']
    for reason in result.skipped:
        lines += ['*Not measured:* ' + reason, '']
    if plots and has_picture(result, benchmark):
        lines += ['.. image:: benchmarks/' + picture(result),
                  '   :alt: %s, plotted' % benchmark.TITLE, '']
    facts = ', '.join(
        '%s %s' % pair for pair in result.machine.items())
    return lines + ['*Measured on:* %s.' % facts, '']


def _least(result, benchmark):
    """Say how many calls are above those that must be made."""
    least = getattr(benchmark, 'least', None)
    if least is None:
        return []
    parts = []
    for way in result.ways():
        above = {
            point: max(result.counts(way, point, kind)) - count
            for point in result.points()
            for kind, count in least(point, way).items()
            if result.counts(way, point, kind)}
        if above:
            parts.append('%s %s' % (way, ', '.join(
                '%+d at %s' % (count, point)
                for point, count in above.items())))
    return ['*Calls to Cinder above the least:* %s.' % '; '.join(parts), '']
