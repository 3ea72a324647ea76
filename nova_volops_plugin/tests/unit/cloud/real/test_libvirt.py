# SPDX-License-Identifier: Apache-2.0

"""A host's libvirt: what it is told, and what it leaves behind."""

import fixtures

from nova_volops_plugin.cloud.real import libvirt
from nova_volops_plugin.tests.unit.cloud.real import fake

# An interface as Nova defines it, and one that libvirt manages.
GUEST = '''
<domain type='qemu'><devices>
  <interface type='ethernet'>
    <target dev='%s' managed='no'/>
  </interface>
  <interface type='ethernet'><target dev='%s'/></interface>
  <disk type='network'><target dev='vda' bus='virtio'/></disk>
</devices></domain>
'''


class TestLibvirtd(fake.TestCase):

    def test_network_devices_that_exist(self):
        daemon = libvirt.Libvirtd(self.layout(), 'host1')
        folder = libvirt.folder(self.layout(), 'host1', 'etc', 'qemu')
        (folder / 'a.xml').write_text(
            GUEST % ('tap4105796d-7d', 'tap00000000-00'))
        names = ('lo', 'tap4105796d-7d', 'tap00000000-00', 'tap11111111-11',
                 'vda', 'volops-host1', 'volops-host2')
        self.useFixture(fixtures.MonkeyPatch(
            'socket.if_nameindex', lambda: list(enumerate(names))))
        self.assertEqual(
            ['tap00000000-00', 'tap4105796d-7d', 'volops-host1'],
            daemon.devices())

    def test_hosts_have_addresses_and_ports_of_their_own(self):
        texts = []
        for host in ('host1', 'host2'):
            libvirt.Libvirtd(self.layout(hosts=2), host).prepare()
            texts.append((libvirt.folder(self.layout(), host, 'etc') /
                          'qemu.conf').read_text())
        self.assertIn('migration_address = "127.0.1.1"\n', texts[0])
        self.assertIn('migration_address = "127.0.1.2"\n', texts[1])
        self.assertIn('migration_port_max = 21119\n', texts[0])
        self.assertIn('migration_port_min = 21120\n', texts[1])

    def test_identity_outlives_a_restart(self):
        path = libvirt.folder(self.layout(), 'host1', 'etc') / 'libvirtd.conf'
        libvirt.Libvirtd(self.layout(), 'host1').prepare()
        first = path.read_text()
        libvirt.Libvirtd(self.layout(), 'host1').prepare()
        self.assertEqual(first, path.read_text())

    def test_uri_leaves_the_host_to_nova(self):
        uri = libvirt.uri(self.layout(), '%s')
        self.assertEqual(
            libvirt.uri(self.layout(), 'host2'), uri % 'host2')
