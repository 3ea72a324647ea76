# SPDX-License-Identifier: Apache-2.0

"""What the real cloud refuses before anything changes."""

import json
import os

import fixtures

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import profile
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.cloud.real import fake

OLDER = nova_base.Base.load(nova_base.sample()[-1])


class TestRefusals(fake.TestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatch('os.geteuid', return_value=0))

    def refused(self, **what_runs):
        error = self.assertRaises(
            exceptions.BadInput,
            profile.RealCloud(self.state, **what_runs).up)
        return str(error)

    def test_hosts(self):
        for hosts in (0, -1, 5):
            self.assertIn('1 to 4 hosts', self.refused(hosts=hosts))

    def test_released_hosts(self):
        for released in (-1, 3):
            self.assertIn('of 2 hosts 0 to 2', self.refused(
                hosts=2, released_hosts=released))

    def test_not_root(self):
        os.geteuid.return_value = 1000
        self.assertIn('--profile embedded', self.refused())

    def test_port_of_somebody_else(self):
        listener = self.listen()
        self.assertIn(str(listener.getsockname()[1]), self.refused())

    def test_another_nova_is_up(self):
        cloud = layout.Layout(self.state, OLDER, True, 1)
        (cloud.root / 'cloud.json').write_text(json.dumps(
            {'base': OLDER.name, 'patched': True, 'hosts': 1,
             'released_hosts': 0}))
        processes.start(cloud, 'nova-api', ['sleep', '300'], {})
        self.addCleanup(processes.stop, cloud, 'nova-api')
        message = self.refused()
        self.assertIn(OLDER.name, message)
        self.assertIn('cloud down --profile real', message)
        self.assertTrue(processes.find(cloud, 'nova-api'))

    def test_missing_packages(self):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.cloud.real.layout.PORTS', {}))
        needs = self.state.path / 'bindep.txt'
        needs.write_text('dpkg\nno-such-package [real]\n'
                         'another [elsewhere]\n')
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.cloud.real.packages.BINDEP', needs))
        error = self.assertRaises(
            exceptions.VolopsError, profile.RealCloud(self.state).up)
        self.assertIn(' lacks no-such-package;', str(error))
        self.assertIn('cloud install', str(error))


class TestDown(fake.TestCase):

    def test_where_no_cloud_was(self):
        cloud = profile.RealCloud(self.state)
        self.assertEqual([], cloud.status())
        cloud.down()

    def test_what_lost_its_note_ends_too(self):
        cloud = self.layout()
        processes.start(cloud, 'nova-api', ['sleep', '300'], {})
        (cloud.root / 'run/nova-api.pid').unlink()
        profile.RealCloud(self.state).down(wipe=True)
        self.assertFalse(processes.every(cloud))
        self.assertFalse((self.state.path / 'clouds/real').exists())
