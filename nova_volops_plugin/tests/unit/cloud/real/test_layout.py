# SPDX-License-Identifier: Apache-2.0

"""Folders, passwords and configuration files of a real cloud."""

import configparser
import stat

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin import exceptions
from nova_volops_plugin import state
from nova_volops_plugin.tests.unit.cloud.real import fake


class TestSite(fake.TestCase):

    def test_password_stays_the_same_and_private(self):
        cloud = self.layout()
        password = cloud.password('nova')
        self.assertEqual(password, self.layout().password('nova'))
        self.assertNotEqual(password, cloud.password('cinder'))
        self.assertGreaterEqual(len(password), 32)
        mode = (cloud.root / 'passwords/nova').stat().st_mode
        self.assertEqual(0o600, stat.S_IMODE(mode))

    def test_folders_are_private(self):
        mode = self.layout().folder('mariadb').stat().st_mode
        self.assertEqual(0o700, stat.S_IMODE(mode))

    def test_each_nova_has_its_own(self):
        variants = {self.layout(base, patched).variant
                    for base in ('new', 'old')
                    for patched in (True, False)}
        self.assertEqual(
            {'nova_new', 'nova_new_unpatched', 'nova_old',
             'nova_old_unpatched'}, variants)

    def test_hosts(self):
        cloud = self.layout(hosts=2)
        self.assertEqual(['host1', 'host2'], cloud.hosts)
        self.assertEqual([], cloud.released_hosts)
        mixed = layout.Layout(self.state, 'new', True, 3, released_hosts=2)
        self.assertEqual(['host2', 'host3'], mixed.released_hosts)

    def test_folder_too_long_for_sockets(self):
        deep = state.StateDir(self.state.path / ('x' * 60))
        error = self.assertRaises(
            exceptions.BadInput, layout.Layout, deep, 'new', True, 1)
        self.assertIn('--state-dir', str(error))

    def test_ini(self):
        path = self.layout().folder('etc') / 'x.conf'
        layout.write_ini(path, {'a': {'b': 1}, 'c': {'d': 'e f'}})
        self.assertEqual(0o600, stat.S_IMODE(path.stat().st_mode))
        parser = configparser.ConfigParser()
        parser.read(path)
        self.assertEqual('1', parser['a']['b'])
        self.assertEqual('e f', parser['c']['d'])

    def test_ports_are_different(self):
        ports = list(layout.PORTS.values())
        ports += [layout.CEPH_PORTS[0], layout.MIGRATION_PORTS]
        self.assertEqual(len(ports), len(set(ports)))

    def test_taken_ports(self):
        listener = self.listen()
        self.assertEqual([listener.getsockname()[1]], layout.taken_ports())
        listener.close()
        self.assertEqual([], layout.taken_ports())
