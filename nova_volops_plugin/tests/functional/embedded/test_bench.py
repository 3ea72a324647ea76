# SPDX-License-Identifier: Apache-2.0

import shutil

import testtools
from testtools import matchers

from nova_volops_plugin.bases import python
from nova_volops_plugin.lab.bench import catalog
from nova_volops_plugin.lab.bench import embedded
from nova_volops_plugin.lab.bench import results
from nova_volops_plugin.lab.bench import runner
from nova_volops_plugin.lab.bench import testbed
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.tests.functional.embedded import base


class BenchTest(testtools.TestCase):
    """What is counted; how long it takes is for nobody to assert."""

    def setUp(self):
        super().setUp()
        self.state = base.make_state()
        self.addCleanup(shutil.rmtree, self.state.path)

    def test_without_quotas(self):
        with testbed.Testbed(
                self.state, python.newest_base(), 'embedded') as bed:
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

    def test_others_pay_nothing(self):
        with testbed.Testbed(
                self.state, python.newest_base(), 'embedded') as bed:
            patched, released = (
                self._costs(bed.deployment(patched))
                for patched in (True, False))
        for kind, cost in released.items():
            # What a service does by the clock may come in between.
            self.assertThat(
                abs(cost.pop('sql') - patched[kind].pop('sql')),
                matchers.LessThan(3), kind)
        self.assertEqual(released, patched)
        self.assertEqual(5, patched['attach']['cinder'])

    def _costs(self, deployment):
        """Return what is counted of what does not use the series."""
        def boot(name):
            answer = deployment.create_server(name)
            server = answer.body['server']['id']
            deployment.wait_for_server(server, 'ACTIVE')
            return server, results.totals([deployment.entry(answer)])[0]

        # What is cached by the first of its kind is not counted.
        boot('first')
        server, costs = boot('second')
        costs = {'boot': costs}
        volume = deployment.create_volume('volume')
        for kind, acts in (
                ('migrate', [('VERIFY_RESIZE', 'migrate'),
                             ('ACTIVE', 'confirmResize')]),
                ('shelve', [('SHELVED', 'shelve'),
                            ('SHELVED_OFFLOADED', 'shelveOffload')]),
                ('unshelve', [('ACTIVE', 'unshelve')])):
            if kind == 'shelve':
                # Servers with a volume are the ones that could pay for it.
                for _time in range(2):
                    answer = deployment.attach(server, volume)
                    costs['attach'] = results.totals(
                        [deployment.entry(answer)])[0]
                    deployment.do(calls.detach(server, volume))
                    deployment.wait_for_volume(volume, 'available')
                deployment.entry(deployment.attach(server, volume))
            costs[kind] = results.totals([
                deployment.entry(deployment.act(server, *act))
                for act in acts])[0]
        return costs

    def test_reboot(self):
        result, = runner.run(
            self.state, python.newest_base(), catalog.choose(['reboot']),
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
            # The last actions tell whether a detach failed.
            released, = result.counts('as released', size, 'sql')
            self.assertEqual([released + 1],
                             result.counts('patched', size, 'sql'))
        self.assertEqual(
            {'attachment_get_all': 1},
            result.calls['patched']['2']['cinder'])
        self.assertEqual(['down', 'down'], [
            service.state for patched in (True, False)
            for service in embedded.MeasuredCloud(
                self.state, patched=patched).status()])
