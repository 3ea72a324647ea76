# SPDX-License-Identifier: Apache-2.0

"""What is done to a real cloud to see how Nova bears it."""

import json
import stat
import uuid

import fixtures
import yaml

from nova_volops_plugin.cloud.real import cinder
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import profile
from nova_volops_plugin.cloud import termination
from nova_volops_plugin.tests.unit.cloud.real import fake


class TestTampering(fake.TestCase):

    def setUp(self):
        super().setUp()
        self.cloud = profile.RealCloud(self.state, hosts=2)
        self.there = self.layout(hosts=2)
        (self.there.root / 'cloud.json').write_text(json.dumps(
            {'base': self.there.base.name, 'patched': True, 'hosts': 2,
             'released_hosts': 0}))
        self.addCleanup(self.cloud.down)

    def start(self, *names):
        for name in names:
            processes.start(self.there, name, ['sleep', '300'], {})

    def running(self, *names):
        return [name for name in names if processes.find(self.there, name)]

    def test_stop_one_service(self):
        self.start('cinder-api', 'cinder-volume')
        self.assertIs(True, self.cloud.faults.stop('cinder-api'))
        self.assertEqual(
            ['cinder-volume'], self.running('cinder-api', 'cinder-volume'))

    def test_kill_one_service(self):
        self.start('cinder-api', 'cinder-volume')
        process = processes.find(self.there, 'cinder-api')
        self.assertIs(True, self.cloud.faults.kill('cinder-api'))
        self.assertTrue(termination.has_ended(process))
        self.assertEqual(
            ['cinder-volume'], self.running('cinder-api', 'cinder-volume'))

    def test_lose_one_host(self):
        of_host = [['%s-host%d' % (service, number) for service in (
            'nova-compute', 'libvirtd')] for number in (1, 2)]
        self.start(*of_host[0], *of_host[1])
        self.assertIs(True, self.cloud.faults.lose_host('host1'))
        self.assertEqual([], self.running(*of_host[0]))
        self.assertEqual(of_host[1], self.running(*of_host[1]))

    def policy(self):
        return yaml.safe_load(
            (self.there.root / 'cinder/policy.yaml').read_text())

    def test_refuse_a_kind_of_call(self):
        self.assertIs(True, self.cloud.faults.refuse('reimage_volume'))
        self.assertEqual(
            {'volume:reimage': '!', 'volume:reimage_reserved': '!'},
            self.policy())
        mode = (self.there.root / 'cinder/policy.yaml').stat().st_mode
        self.assertEqual(0o600, stat.S_IMODE(mode))
        self.cloud.faults.refuse()
        self.assertEqual({}, self.policy())

    def test_refuse_an_unknown_call(self):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.cloud.real.cinder._RULES', {}))
        self.assertIs(False, cinder.refuse(self.there, 'reimage_volume'))
        self.assertEqual({}, self.policy())

    def test_count_requests(self):
        self.there.log('cinder-api').write_text(
            'x http://127.0.0.1:21004/v3/volumes returned with HTTP 200\n'
            'x GET http://127.0.0.1:21004/v3/volumes\n'
            'x http://127.0.0.1:21004/v3/volumes returned with HTTP 404\n')
        self.assertEqual(2, self.cloud.count_requests('cinder-api'))

    def asked(self, answer):
        """Have all that is asked answer so; return a list of what is."""
        commands = []

        def ask(argv, timeout=10):
            commands.append([str(word) for word in argv])
            return answer

        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.cloud.real.units.ask', ask))
        return commands

    def test_forget_a_device(self):
        commands = self.asked('')
        server, volume = str(uuid.uuid4()), str(uuid.uuid4())
        self.assertIs(True, self.cloud.faults.forget_device(server, volume))
        (command,) = commands
        self.assertIn(self.there.variant, command)
        self.assertIn("deleted = 0 AND instance_uuid = '%s' AND "
                      "volume_id = '%s'" % (server, volume), command[-1])

    def test_forget_a_device_of_no_uuid(self):
        commands = self.asked('')
        self.assertRaises(ValueError, self.cloud.faults.forget_device,
                          "' OR '' = '", str(uuid.uuid4()))
        self.assertEqual([], commands)

    def test_watchers(self):
        commands = self.asked('{"watchers": [{"client": 1}, {"client": 2}]}')
        self.assertEqual(2, self.cloud.watchers('v'))
        self.assertEqual('volumes/volume-v', commands[0][-1])

    def test_a_service_of_its_own(self):
        ours, others = self.cloud.environ(), self.cloud.service_environ()
        self.assertEqual('service', others['OS_PROJECT_NAME'])
        self.assertNotEqual(ours['OS_PASSWORD'], others['OS_PASSWORD'])
