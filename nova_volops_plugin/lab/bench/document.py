# SPDX-License-Identifier: Apache-2.0

"""Writes what the documentation shows of the results."""

from nova_volops_plugin.lab.bench import plot
from nova_volops_plugin.lab.bench import table


def write(folder, found, benchmarks, plots=True):
    """Write the tables and the plots.

    :param folder: a path; it is made when missing
    :param found: a list of
        :class:`nova_volops_plugin.lab.bench.results.Result` of one base and
        profile
    :param benchmarks: the modules of the benchmarks
    :param plots: whether to write plots
    :raises VolopsError: matplotlib is not installed
    """
    folder.mkdir(parents=True, exist_ok=True)
    modules = {benchmark.NAME: benchmark for benchmark in benchmarks}
    for result in found:
        benchmark = modules[result.name]
        if plots and table.has_picture(result, benchmark):
            (folder / table.picture(result)).write_bytes(
                plot.png(result, benchmark))
    if found:
        (folder / (found[0].label + '.txt')).write_text(
            table.document(found, benchmarks, plots))
