# SPDX-License-Identifier: Apache-2.0

"""Runs benchmarks, and keeps the last result of each."""

from nova_volops_plugin.bases import lock
from nova_volops_plugin.cloud import profiles
from nova_volops_plugin.lab.bench import results
from nova_volops_plugin.lab.bench import run as bench_run
from nova_volops_plugin.lab.bench import testbed
from nova_volops_plugin import machine


def run(state, base, benchmarks, repeat=bench_run.REPEAT, most=None,
        profile=profiles.DEFAULT):
    """Yield a :class:`results.Result` for each benchmark as it ends.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param benchmarks: modules as in the catalog
    :param repeat: how often each variant is measured at each size
    :param most: the greatest size, None for all
    :param profile: the kind of cloud
    """
    with (lock.hold(state.bench / '.benchmarks.lock'),
          testbed.Testbed(state, base, profile) as bed):
        for benchmark in benchmarks:
            result = results.Result(
                benchmark.NAME, base.name, profile=profile,
                machine=dict(machine.facts(), tree=base.tree))
            try:
                benchmark.run(bench_run.Run(bed, result, repeat, most))
            finally:
                bed.clean_up()
            (state.bench / _file_of(result)).write_text(result.dump())
            yield result


def stored(folder, base, benchmarks, profile=profiles.DEFAULT):
    """Return the results that a folder holds.

    :returns: a list of :class:`results.Result`
    """
    files = [folder / _file_of(
        results.Result(benchmark.NAME, base.name, profile=profile))
        for benchmark in benchmarks]
    return [results.Result.load(file.read_text())
            for file in files if file.exists()]


def _file_of(result):
    return '%s-%s.json' % (result.label, result.name)
