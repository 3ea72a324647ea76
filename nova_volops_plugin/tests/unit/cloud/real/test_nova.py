# SPDX-License-Identifier: Apache-2.0

import pathlib
import types

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import nova
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
