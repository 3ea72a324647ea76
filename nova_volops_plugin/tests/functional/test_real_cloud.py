# SPDX-License-Identifier: Apache-2.0

"""The real cloud comes up, outlives kill -9 and leaves nothing behind."""

import os
import pathlib
import shutil
import subprocess

import psutil
import testtools

from nova_volops_plugin.cloud import client
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import packages
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import profile
from nova_volops_plugin.cloud.real import resources
from nova_volops_plugin import exceptions
from nova_volops_plugin.sdk import waiting
from nova_volops_plugin.tests.functional.embedded import base

WANTED = 'NOVA_VOLOPS_TEST_REAL'
SECONDS = 180


class TestRealCloud(testtools.TestCase):

    def setUp(self):
        super().setUp()
        if not os.environ.get(WANTED):
            self.skipTest('it takes minutes and the ports of the real cloud; '
                          'set %s to run it' % WANTED)
        if os.geteuid():
            self.skipTest('the real cloud needs root')
        missing = packages.missing_packages()
        if missing:
            self.skipTest('the real cloud lacks %s' % ', '.join(missing))
        taken = layout.taken_ports()
        if taken:
            self.skipTest('the ports %s of the real cloud are taken' % taken)
        folder = base.make_state()
        self.addCleanup(shutil.rmtree, folder.path)
        self.cloud = profile.RealCloud(folder)
        self.before = self.leftovers()
        self.addCleanup(self.cloud.down)

    def up_services(self):
        return {service.name: service.pid for service in self.cloud.status()
                if service.state == 'up'}

    def leftovers(self):
        """Return what a cloud can leave on a machine."""
        return {
            'network devices': set(os.listdir('/sys/class/net')),
            'network namespaces': set(os.listdir('/run/netns'))
            if os.path.isdir('/run/netns') else set(),
            'mounts': set(pathlib.Path('/proc/self/mounts')
                          .read_text().splitlines()),
            'loop devices': set(subprocess.run(
                ['losetup', '--all'], capture_output=True, text=True,
                check=True).stdout.splitlines()),
            'guests': self.guests(),
            'processes': {process.pid for process in
                          processes.every(self.cloud._layout())},
        }

    def guests(self):
        """Return the processes that see the cloud's folders as libvirt's."""
        found = set()
        for process in psutil.process_iter():
            try:
                mounts = pathlib.Path('/proc/%d/mountinfo' % process.pid)
                if str(self.cloud.state.path) in mounts.read_text():
                    found.add(process.pid)
            except OSError:
                pass
        return found

    def wait_for_line(self, server, *words):
        """Wait until the guest's console has a new line with these words."""
        seen = set(self.console(server).splitlines())
        waiting.until('%s on the console' % (words,), lambda: any(
            all(word in line for word in words)
            for line in self.console(server).splitlines()
            if line not in seen), SECONDS)

    def console(self, server):
        try:
            return self.cloud.console(server)
        except exceptions.BadInput:
            return ''

    def boot(self, rest):
        server = rest.compute.create_server(
            name='life',
            image_id=rest.image.find_image('volops-alpha').id,
            flavor_id=rest.compute.find_flavor('volops').id,
            networks=[{'uuid': rest.network.find_network(
                resources.NETWORK).id}])
        rest.compute.wait_for_server(server, wait=SECONDS)
        return server.id

    def test_life(self):
        self.cloud.up()
        services = self.up_services()
        self.assertEqual(
            {service.name for service in self.cloud.status()}, set(services))
        self.cloud.up()
        self.assertEqual(services, self.up_services())

        rest = client.connect(self.cloud.environ())
        server = self.boot(rest)
        self.wait_for_line(server, 'volops tag=alpha')

        for pid in services.values():
            psutil.Process(pid).kill()
        psutil.wait_procs(
            [psutil.Process(pid) for pid in services.values()
             if psutil.pid_exists(pid)], timeout=20)
        self.cloud.up()
        self.assertEqual(set(services), set(self.up_services()))
        self.assertFalse(
            set(services.values()) & set(self.up_services().values()))
        volume = rest.block_storage.create_volume(size=1, name='life')
        rest.block_storage.wait_for_status(volume, wait=SECONDS)
        rest.compute.create_volume_attachment(server, volume_id=volume.id)
        self.wait_for_line(
            server, 'serial=' + volume.id[:20], 'ro=0', 'write=ok')

        self.cloud.down()
        self.assertEqual(self.before, self.leftovers())
        self.assertFalse(self.up_services())

        self.cloud.up()
        self.wait_for_line(
            server, 'serial=' + volume.id[:20], 'write=ok')
        self.cloud.down(wipe=True)
        self.assertEqual(self.before, self.leftovers())
        # Who asks for the folder makes it; nothing is in it.
        self.assertEqual([], os.listdir(self.cloud.state.cloud('real')))
