# SPDX-License-Identifier: Apache-2.0

"""The stories hold on the series, and only there."""

import json

from nova_volops_plugin.bases import python
from nova_volops_plugin import result
from nova_volops_plugin.scenarios import runner
from nova_volops_plugin.tests import command_line
from nova_volops_plugin.tests.functional.embedded import base


BEFORE = python.newest_base().microversions[0]
# What needs guests that run, or a Cinder that can be stopped and counted.
SKIPPED = {
    ('buses', 'only buses with read-only disks take a ro volume'),
    ('sharing', 'it reads what the first one writes'),
    ('moves', 'an evacuation keeps both volumes in their modes'),
    ('swap_on_host', 'a swap on the host keeps the data'),
    ('rebuild', 'the guest runs the new image'),
    ('rebuild',
     'a server whose re-image failed is rebuilt once that is fixed'),
    ('leftovers', 'what only Cinder knows is found and deleted'),
    ('outage', 'a reboot without Cinder succeeds and deletes nothing'),
    ('reboot_cost', 'a reboot asks Cinder as often with 8 volumes as with 1'),
}


def _of(told, outcome):
    return {(claim.scenario, claim.text) for claim in told
            if claim.result == outcome}


@base.on_other_bases
class TestPatched(base.CloudTest):

    WHAT_RUNS = {'hosts': 2}

    def test_every_claim_holds(self):
        lines = []
        told = runner.run(self.cloud, lines.append)
        self.assertEqual(set(), _of(told, result.FAILED))
        self.assertEqual(SKIPPED, _of(told, result.SKIPPED))
        self.assertTrue([line for line in lines if line.startswith('POST ')])
        self.assertEqual([], list(self.openstack.compute.servers()))
        self.assertEqual([], list(self.openstack.block_storage.volumes()))


class TestUnpatched(base.CloudTest):

    WHAT_RUNS = {'patched': False, 'hosts': 2}
    # What does not need the series; every other claim does.
    HOLDS = {
        ('attach_mode', BEFORE + ' does not know attach_mode'),
        ('attach_mode', 'what was refused changed nothing'),
        ('attach_mode', BEFORE + ' does not show attach_mode'),
        ('multi_create', BEFORE + ' refuses several servers with one volume'),
        ('multi_create', 'what was refused reserved no volume'),
        ('shelved', BEFORE + ' refuses the swap'),
        ('shelved', 'a volume is attached that needs nothing new'),
        ('shelved', 'a volume is detached'),
        ('shelved', 'a volume that is detached is free for another server'),
        ('rebuild', 'the rebuild is asked for'),
        ('rebuild', 'so is its volume'),
        ('rebuild', 'a rebuild with another image is accepted'),
        ('rebuild', 'the server is ACTIVE'),
        ('rebuild', 'the same volume holds the new image'),
        ('dangling', 'the healthy volume is kept'),
        ('dangling', 'the lost volume is dropped: Cinder has it free'),
    }
    # The cloud of a base as released cannot make this call fail.
    CANNOT_FAIL = {
        ('rebuild', 'a server whose root volume is not connected is in ERROR'),
    }

    def test_what_the_series_adds_fails(self):
        told = runner.run(self.cloud)
        self.assertEqual(self.HOLDS, _of(told, result.PASSED))
        skipped = _of(told, result.SKIPPED)
        self.assertLessEqual(skipped, SKIPPED | self.CANNOT_FAIL)
        self.assertLessEqual(self.CANNOT_FAIL, skipped)
        self.assertEqual([], list(self.openstack.block_storage.volumes()))


class TestCommand(base.StateTest):

    def _demo(self, *words):
        return command_line.run(self.state.path, 'demo', *words)[:2]

    def test_unpatched_fails_and_stops_its_cloud(self):
        code, out = self._demo(
            '--unpatched', '-f', 'json', 'attach_mode')
        self.assertEqual(3, code)
        outcomes = {claim['Result'] for claim in json.loads(out)}
        self.assertEqual({result.PASSED, result.FAILED}, outcomes)
        self.assertEqual(['down'], [s.state for s in self.cloud().status()])

    def test_running_cloud_is_used(self):
        cloud = self.cloud()
        cloud.up()
        pids = {service.pid for service in cloud.status()}
        code, out = self._demo('attach_mode')
        self.assertEqual(0, code, out)
        self.assertRegex(out.splitlines()[-1],
                         r'^demo: \d+ passed, 0 failed, 0 skipped$')
        self.assertEqual(pids, {service.pid for service in cloud.status()})
        code, out = self._demo('--unpatched')
        self.assertEqual(2, code)
        self.assertEqual(pids, {service.pid for service in cloud.status()})
