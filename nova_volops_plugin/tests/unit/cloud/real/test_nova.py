# SPDX-License-Identifier: Apache-2.0

import pathlib
import types
from unittest import mock

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import nova
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.tests.unit.cloud.real import fake


class TestReleasedHosts(fake.TestCase):

    def setUp(self):
        super().setUp()
        self.cloud = layout.Layout(
            self.state, 'new', True, 2, released_hosts=1,
            environments=types.SimpleNamespace(
                tree=pathlib.Path('/patched'),
                released_tree=pathlib.Path('/released')))

    def test_run_the_code_as_released(self):
        self.assertEqual(
            ['/patched', '/patched', '/released'],
            [service.environ()['PYTHONPATH'] for service in (
                nova.Conductor(self.cloud),
                nova.Compute(self.cloud, 'host1'),
                nova.Compute(self.cloud, 'host2'))])

    def test_are_there_before_the_others(self):
        newer, older = (nova.Compute(self.cloud, host)
                        for host in self.cloud.hosts)
        self.assertIn(older.name, newer.requires)
        self.assertNotIn(newer.name, older.requires)


class TestCompute(fake.TestCase):

    def test_is_ready_when_placement_has_its_resources(self):
        compute = nova.Compute(
            layout.Layout(self.state, 'new', True, 1), 'host1')
        with mock.patch.object(units, 'ask', return_value='host1\n') as ask:
            self.assertEqual('host1', compute.check())
            ask.side_effect = ['host1\n', '']
            failure = self.assertRaises(units.NotReady, compute.check)
        self.assertIn('no resources of host1', str(failure))
