# SPDX-License-Identifier: Apache-2.0

"""The median and the quartiles of repeated measurements."""

import dataclasses
import statistics


@dataclasses.dataclass(frozen=True)
class Quartiles:
    """The middle of some numbers and how far they lie apart.

    :param median: the number in the middle
    :param low: a quarter of them is not above it
    :param high: a quarter of them is not below it
    """

    median: float
    low: float
    high: float


def of(values):
    """Return the :class:`Quartiles` of numbers.

    :raises ValueError: there are none
    """
    values = sorted(values)
    if not values:
        raise ValueError('nothing was measured')
    if len(values) == 1:
        return Quartiles(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method='inclusive')
    return Quartiles(median, low, high)


def ratio(values, others):
    """Return how many times as much some numbers are as others.

    It is the ratio of the medians; ``low`` and ``high`` are that of the
    quartiles which lie closest and farthest, so that 1 lies between them
    unless the two differ clearly.

    :returns: a :class:`Quartiles`, None when a number of the others is not
        above 0
    """
    ours, theirs = of(values), of(others)
    if theirs.low <= 0:
        return None
    return Quartiles(ours.median / theirs.median, ours.low / theirs.high,
                     ours.high / theirs.low)
