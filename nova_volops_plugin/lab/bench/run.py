# SPDX-License-Identifier: Apache-2.0

"""One run of a benchmark: alternates the variants, keeps the results."""

import logging

from nova_volops_plugin.lab.bench import results

LOG = logging.getLogger(__name__)

REPEAT = 5


class Run:
    """Handed to each benchmark.

    :param testbed: a :class:`nova_volops_plugin.lab.bench.testbed.Testbed`
    :param result: the :class:`results.Result` that it fills
    :param repeat: how often each variant is measured at each size
    :param most: the greatest size, None for all that the benchmark has
    """

    def __init__(self, testbed, result, repeat=REPEAT, most=None):
        self.testbed = testbed
        self.result = result
        self.repeat = repeat
        self.most = most
        self._counts = False

    def sizes(self, *sizes):
        """Return those of the benchmark's sizes that are wanted."""
        return [size for size in sizes
                if self.most is None or size <= self.most] or [sizes[0]]

    def alternate(self, variants, warm_up=True):
        """Yield the variants in turn: A, B, A, B, …

        :param warm_up: whether each comes once more at first, and what is
            then measured is forgotten
        """
        for number in range(-int(warm_up), self.repeat):
            for variant in variants:
                self._counts = number >= 0
                yield variant
        self._counts = False

    def add(self, variant, size, seconds, counts=None, names=None, **extra):
        """Keep what was measured; see :class:`results.Sample`.

        :param names: what was counted, a dict of kinds with dicts
        """
        if not self._counts:
            return
        self.result.samples.append(results.Sample(
            variant, size, seconds, counts or {}, extra))
        if names:
            self.result.calls.setdefault(variant, {})[str(size)] = names
        LOG.info('%s: %s, %s: %.3f s', self.result.name, size, variant,
                 seconds)

    def add_requests(self, variant, size, deployment, answers, in_series=False,
                     seconds=None, **extra):
        """Keep what requests have cost, once all of them are done.

        :param deployment: the
            :class:`nova_volops_plugin.lab.bench.embedded.Deployment`
        :param answers: those of the requests
        :param in_series: whether one was sent when the one before was done:
            what the client waited in between is left out then
        :param seconds: what counts in the place of their duration
        """
        entries = [deployment.entry(answer) for answer in answers]
        lasted = _each if in_series else _all
        counts, names = results.totals(entries)
        self.add(
            variant, size, lasted(entries, 'began', 'last')
            if seconds is None else seconds, counts, names,
            **self._of_process(entries, lasted),
            api_seconds=_each(entries, 'began', 'answered'),
            **extra)

    @staticmethod
    def _of_process(entries, lasted):
        if not all('processor_last' in entry for entry in entries):
            return {}
        return {
            'processor_seconds': lasted(
                entries, 'processor_began', 'processor_last'),
            'api_cinder': sum(entry['api_cinder'] for entry in entries)}

    def skip(self, reason):
        """Keep why something is not measured, a sentence."""
        self.result.skipped.append(reason)


def _each(entries, since, until):
    return sum(entry[until] - entry[since] for entry in entries)


def _all(entries, since, until):
    return (max(entry[until] for entry in entries) -
            min(entry[since] for entry in entries))
