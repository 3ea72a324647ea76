# SPDX-License-Identifier: Apache-2.0

import types

import fixtures
import testtools

from nova_volops_plugin.lab.bench import results
from nova_volops_plugin.lab.bench import run


def _entry(began, answered, last, calls=1):
    return {'began': began, 'answered': answered, 'last': last,
            'processor_began': began / 2, 'processor_last': last / 2,
            'counts': {'cinder': {'get': calls}}, 'api_cinder': 1}


class RunTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.result = results.Result('reboot', 'new')
        self.log = self.useFixture(fixtures.FakeLogger(run.__name__))
        self.run_ = run.Run(None, self.result, repeat=2)

    def test_alternates_and_forgets_the_first(self):
        for number, variant in enumerate(self.run_.alternate('AB'), 1):
            self.run_.add(variant, 1, float(number))
        # Nothing is kept outside.
        self.run_.add('A', 1, 1.0)
        self.assertEqual([('A', 3), ('B', 4), ('A', 5), ('B', 6)],
                         [(sample.variant, sample.seconds)
                          for sample in self.result.samples])
        self.assertEqual(4, len(self.log.output.splitlines()))

    def test_points(self):
        self.assertEqual([1, 4], self.run_.sizes(1, 4))
        self.run_.most = 2
        self.assertEqual([1, 2], self.run_.sizes(1, 2, 4))
        self.run_.most = 0
        self.assertEqual([1], self.run_.sizes(1, 2, 4))

    def _requests(self, **kwargs):
        deployment = types.SimpleNamespace(entry=lambda answer: answer)
        for _way in self.run_.alternate('A', warm_up=False):
            self.run_.add_requests('A', 2, deployment, [
                _entry(10.0, 10.5, 12.0), _entry(11.0, 11.25, 14.0, 2)],
                **kwargs)
        return self.result.samples[0]

    def test_requests_at_once(self):
        sample = self._requests()
        self.assertEqual(4.0, sample.seconds)
        self.assertEqual({'processor_seconds': 2.0, 'api_seconds': 0.75,
                          'api_cinder': 2}, sample.extra)
        self.assertEqual((2, 3), (sample.counts['rest'],
                                  sample.counts['cinder']))
        self.assertEqual({'A': {'2': {'cinder': {'get': 3}}}},
                         self.result.calls)

    def test_requests_in_series(self):
        self.assertEqual(5.0, self._requests(in_series=True).seconds)
