# SPDX-License-Identifier: Apache-2.0

"""Plots results, if matplotlib is installed."""

import importlib
import io

from nova_volops_plugin import exceptions


def require():
    """Return matplotlib.

    :raises VolopsError: it is not installed
    """
    try:
        return importlib.import_module('matplotlib')
    except ImportError:
        raise exceptions.VolopsError(
            'the plots need matplotlib, which is not installed; use "./run '
            'bench", or install the extra by pip install "nova-volops[bench]"'
        ) from None


def png(result, benchmark):
    """Return a plot of a result, a PNG file's bytes."""
    picture = io.BytesIO()
    figure(result, benchmark).savefig(picture, format='png', dpi=100)
    return picture.getvalue()


def figure(result, benchmark):
    """Return a plot of a result, a matplotlib Figure.

    On the left is the time, on the right what was asked of Cinder, where
    that was counted.

    :param result: a :class:`nova_volops_plugin.lab.bench.results.Result`
    :param benchmark: its module
    :raises VolopsError: matplotlib is not installed
    """
    require()
    drawn = importlib.import_module('matplotlib.figure').Figure(
        figsize=(8, 3), layout='constrained')
    counted = any(sample.counts.get('cinder') for sample in result.samples)
    axes = drawn.subplots(1, 1 + counted, squeeze=False)[0]
    for variant in result.variants():
        sizes = [size for size in result.sizes() if result.of(variant, size)]
        times = [result.seconds(variant, size) for size in sizes]
        line, = axes[0].plot(sizes, [time.median for time in times],
                             marker='o', label=variant)
        axes[0].fill_between(
            sizes, [time.low for time in times],
            [time.high for time in times], color=line.get_color(), alpha=0.2)
        if counted:
            axes[1].plot(sizes, [
                max(result.counts(variant, size, 'cinder'))
                for size in sizes], marker='o', label=variant)
    for place, name in zip(axes, ('seconds', 'calls to Cinder')):
        place.set_xlabel(benchmark.AXIS)
        place.set_ylabel(name)
        place.set_ylim(bottom=0)
        place.grid(alpha=0.3)
    axes[0].legend()
    return drawn
