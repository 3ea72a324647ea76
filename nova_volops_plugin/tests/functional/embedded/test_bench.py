# SPDX-License-Identifier: Apache-2.0

import shutil

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.lab.bench import catalog
from nova_volops_plugin.lab.bench import embedded
from nova_volops_plugin.lab.bench import runner
from nova_volops_plugin.lab.bench import testbed
from nova_volops_plugin.tests.functional.embedded import base


class BenchTest(testtools.TestCase):
    """What is counted; how long it takes is for nobody to assert."""

    def setUp(self):
        super().setUp()
        self.state = base.make_state()
        self.addCleanup(shutil.rmtree, self.state.path)

    def test_without_quotas(self):
        with testbed.Testbed(
                self.state, nova_base.default(), 'embedded') as bed:
            deployment = bed.deployment()
            limits = []

            def look():
                answer = deployment.call('GET', '/limits')
                limits.append(answer.body['limits']['absolute'][
                    'maxTotalInstances'])

            look()
            with testtools.ExpectedException(KeyError):
                with deployment.without_quotas():
                    look()
                    raise KeyError
            look()
        self.assertEqual([10, -1, 10], limits)

    def test_reboot(self):
        result, = runner.run(
            self.state, nova_base.default(), catalog.choose(['reboot']),
            repeat=1, most=2)
        self.assertEqual([1, 2], result.sizes())
        for size in result.sizes():
            counts = {
                variant: {kind: result.counts(variant, size, kind)
                          for kind in ('rest', 'rpc', 'cinder', 'refused')}
                for variant in result.variants()}
            self.assertEqual({
                'patched': {'rest': [1], 'rpc': [1], 'cinder': [1],
                            'refused': [0]},
                'as released': {'rest': [1], 'rpc': [1],
                                'cinder': [size + 1], 'refused': [0]},
            }, counts)
            self.assertEqual(
                result.counts('as released', size, 'sql'),
                result.counts('patched', size, 'sql'))
        self.assertEqual(
            {'attachment_get_all': 1},
            result.calls['patched']['2']['cinder'])
        self.assertEqual(['down', 'down'], [
            service.state for patched in (True, False)
            for service in embedded.MeasuredCloud(
                self.state, patched=patched).status()])
