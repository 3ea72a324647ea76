# SPDX-License-Identifier: Apache-2.0

"""Formats results as rows and as a document."""

import statistics

from nova_volops_plugin import csv_table
from nova_volops_plugin.lab.bench import plot
from nova_volops_plugin.lab.bench import quartiles
from nova_volops_plugin.lab.bench import results

COLUMNS = ('Benchmark', 'Size', 'Variant', 'Seconds', 'Quartiles', 'Ratio',
           *(kind.capitalize() for kind in results.KINDS), 'Other')


def rows(result):
    """Return the rows of a result, a list of tuples in the order of COLUMNS.

    A row is a variant at a size; its ratio is that to the last variant.

    :param result: a :class:`nova_volops_plugin.lab.bench.results.Result`
    """
    return [
        (result.name, size, variant, *_times(result, variant, size),
         *(_counts(result, variant, size, kind) for kind in results.KINDS),
         _extra(result.of(variant, size)))
        for size in result.sizes() for variant in result.variants()
        if result.of(variant, size)]


def _times(result, variant, size):
    found = result.seconds(variant, size)
    others = result.of(result.variants()[-1], size)
    ratio = ''
    if variant != result.variants()[-1] and others:
        compared = quartiles.ratio(
            [sample.seconds for sample in result.of(variant, size)],
            [sample.seconds for sample in others])
        if compared:
            ratio = '%.2f (%.2f-%.2f)' % (
                compared.median, compared.low, compared.high)
    return ('%.3f' % found.median, '%.3f-%.3f' % (found.low, found.high),
            ratio)


def _counts(result, variant, size, kind):
    return '-'.join(str(count) for count in _ends(
        result.counts(variant, size, kind)))


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


def write(folder, found, benchmarks, plots=True):
    """Write the document and the plots that it shows.

    :param folder: a path; it is made when missing
    :param found: a list of results of one base and profile
    :param benchmarks: the modules of the benchmarks
    :param plots: whether to write plots
    :raises VolopsError: matplotlib is not installed
    """
    folder.mkdir(parents=True, exist_ok=True)
    modules = {benchmark.NAME: benchmark for benchmark in benchmarks}
    for result in found:
        benchmark = modules[result.name]
        if plots and _has_picture(result, benchmark):
            (folder / _picture(result)).write_bytes(
                plot.png(result, benchmark))
    if found:
        (folder / (found[0].label + '.txt')).write_text(
            document(found, benchmarks, plots))


def document(found, benchmarks, plots=True):
    """Return a chapter on the results as reStructuredText.

    :param found: a list of results of one base and profile
    :param benchmarks: the modules of the benchmarks
    :param plots: whether it shows the plots
    """
    modules = {benchmark.NAME: benchmark for benchmark in benchmarks}
    lines = ['.. Made by "nova-volops lab bench --document"; do not edit.', '']
    for result in found:
        lines += _section(result, modules[result.name], plots)
    return '\n'.join(lines)


def _picture(result):
    return '%s-%s.png' % (result.label, result.name)


def _has_picture(result, benchmark):
    """Whether the documents show a plot of a result: few are looked at."""
    return getattr(benchmark, 'PLOT', False) and len(result.sizes()) > 1


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
    if plots and _has_picture(result, benchmark):
        lines += ['.. image:: benchmarks/' + _picture(result),
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
    for variant in result.variants():
        above = {
            size: max(result.counts(variant, size, kind)) - count
            for size in result.sizes()
            for kind, count in least(size, variant).items()
            if result.counts(variant, size, kind)}
        if above:
            parts.append('%s %s' % (variant, ', '.join(
                '%+d at %s' % (count, size)
                for size, count in above.items())))
    return ['*Calls to Cinder above the least:* %s.' % '; '.join(parts), '']
