# SPDX-License-Identifier: Apache-2.0

import re
import shutil

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import detect
from nova_volops_plugin.tests.unit.series import samples


API = 'nova/api/openstack/api_version_request.py'


class ReleaseTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.series.add('one', '1.0.0')
        self.series.add('two', '2.0.0', **{
            API.replace('/', '__').replace('.py', '_py'):
            "_MAX_API_VERSION = '2.20'\n"})
        self._number('two', '2.20')
        self.path, self.git = self.series.fetch('one')

    def _number(self, name, microversion):
        conf = self.series.root / name / 'base.conf'
        conf.write_text(re.sub(
            r'= 2\.\d+', '= ' + microversion, conf.read_text()))

    def _identify(self, path=None, name=None):
        tree = detect.open_tree(path or self.path)
        return detect.identify(
            tree, name and self.series.load(name), self.series.root).name

    def _unpacked(self):
        return shutil.copytree(
            self.path, self.series.top / 'unpacked',
            ignore=shutil.ignore_patterns('.git', 'PKG-INFO', '*.egg-info'))

    def test_by_tree(self):
        self.assertEqual('one', self._identify())

    def test_by_package_information(self):
        path = self._unpacked()
        for name in ('PKG-INFO', 'nova-2.0.0.dist-info/METADATA',
                     'nova-2.0.0.egg-info/PKG-INFO', 'nova-2.0.0.egg-info'):
            where = path / name
            where.parent.mkdir(exist_ok=True)
            where.write_text('Name: nova\nVersion: 2.1.3\n')
            self.assertEqual('two', self._identify(path))
            where.unlink()
            if where.parent != path:
                where.parent.rmdir()

    def test_by_constants(self):
        path = self._unpacked()
        self.assertEqual('one', self._identify(path))
        (path / API).write_text("_MAX_API_VERSION = '2.20'\n")
        self.assertEqual('two', self._identify(path))
        for name, microversion in (('one', '2.20'), ('two', '2.21')):
            self.assertEqual('two', self._identify(path, 'two'))
            self._number(name, microversion)
            if name == 'one':
                # The series' number on one is that of two.
                self.assertRefused(
                    detect.Unknown, ['name its base: one, two'],
                    self._identify, path)
        self.assertEqual('one', self._identify(path))
        self._number('one', '2.22')
        self.assertRefused(
            detect.Unknown, ['name its base: one, two'],
            self._identify, path)

    def test_by_tag(self):
        self.series.commit(
            self.path, {'PKG-INFO': None,
                        API: "_MAX_API_VERSION = '2.30'\n"},
            'upstream')
        self.assertEqual('one', self._identify())
        self.git.run('tag', '2.0.1')
        self.assertEqual('two', self._identify())

    def test_other_release(self):
        path = self._unpacked()
        (path / 'PKG-INFO').write_text('Version: 3.0.0.0rc1\n')
        self.assertRefused(
            detect.Unknown, ['nova 3.0.0', 'one (nova 1.0.0)'],
            self._identify, path)

    def test_other_than_said(self):
        self.assertRefused(
            detect.Unknown, 'is a tree of one, not of two',
            self._identify, None, 'two')

    def test_package_itself(self):
        self.assertEqual(
            self.path, detect.open_tree(self.path / 'nova').path)

    def test_no_nova(self):
        self.assertRefused(
            exceptions.BadInput, 'holds no Nova',
            detect.open_tree, self.series.top)

    def test_kinds(self):
        self.assertEqual('git', detect.open_tree(self.path).kind)
        self.assertEqual('files', detect.open_tree(self._unpacked()).kind)
        self.assertRefused(
            exceptions.BadInput, 'no git tree',
            detect.open_git, self.series.top / 'unpacked')
