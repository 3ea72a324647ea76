# SPDX-License-Identifier: Apache-2.0

import hashlib
from unittest import mock

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import new_base
from nova_volops_plugin.bases import new_constraints
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.series import samples

SAYS = {
    'nova__objects__service_py': 'SERVICE_VERSION = 72\n',
    'nova__compute__manager_py': '''\
class ComputeManager:
    target = messaging.Target(version='6.5')


class _ComputeV5Proxy:
    target = messaging.Target(version='5.13')
''',
    'nova__objects__block_device_py': '''\
class Other:
    VERSION = '3.0'


class BlockDeviceMapping(base.NovaObject):
    # 1.0: first
    VERSION = '1.21'
''',
    'nova__monkey_patch_py': "def patch(backend='eventlet'):\n",
    'nova__cmd__compute_py': 'monkey_patch.patch()\n',
    'setup.cfg': ' Programming Language :: Python :: 3.10\n'
                 ' Programming Language :: Python :: 3.12\n',
    'requirements.txt': 'oslo.db>=10\n',
    'test-requirements.txt': 'ddt\n',
}
VERSIONS = 'nova__api__openstack__api_version_request_py'


class NewBaseTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.other = self.series.add('one', '2.0.0', **SAYS)
        self.other.constraints.write_text(
            'ddt==1.0\noslo.db==11.0 ; python_version >= "3.13"\n')
        # The new one's distribution, and nothing else of it.
        new = self.series.add('two', '3.0.0', **{
            **SAYS, VERSIONS: "_MAX_API_VERSION = '2.14'\n"})
        self.tree, self.sha256 = new.base_tree, new.sha256
        for path in new.path.iterdir():
            path.unlink()
        new.path.rmdir()
        self.published = self.series.top / 'upper-constraints.txt'
        self.published.write_text('oslo.db===12.0\nextra===1.1\n')
        self.frozen = self.series.top / 'freeze.txt'
        self.frozen.write_text('ddt==2.0\noslo.db==99\n')

    def _make(self, name='two', resolved=(), **changed):
        arguments = dict({
            'version': '3.0.0', 'sha256': self.sha256,
            'constraints': [self.published, self.frozen]}, **changed)
        with mock.patch.object(new_constraints, '_resolve',
                               return_value=resolved) as self.resolve:
            return new_base.make(
                self.series.state, name, self.other, **arguments)

    def test_facts(self):
        self._make()
        base = self.series.load('two')
        self.assertEqual(
            ('3.0.0', self.tree, ('2.14', '2.14'), ('3.12', '3.10'),
             ('eventlet', 'native'), ('eventlet',), 'green'),
            (base.version, base.base_tree, base.microversions, base.pythons,
             base.modes, base.functional_modes, base.compute_api))

    def test_compute_api(self):
        module, server = 'nova/wsgi/osapi_compute.py', \
            'nova/cmd/api_os_compute.py'
        for files, kind in (
                ({module: 'monkey_patch.patch("threading")'}, 'module'),
                ({module: 'application = x\n', server: 'x\n'}, 'server'),
                ({server: 'x\n'}, 'server'),
                ({module: 'application = x\n'}, 'green')):
            with mock.patch.object(
                    new_base, '_show',
                    lambda git, path, files=files: files.get(path, '')):
                self.assertEqual(kind, new_base._compute_api(None))

    def test_told(self):
        told = self._make()
        self.assertIn('microversion: 2.14, in one 2.10', told)
        self.assertIn('compute RPC: 6.5, in one 6.5', told)
        self.assertIn('block device object: 1.21, in one 1.21', told)

    def test_constraints(self):
        # base.conf has the version of pip.
        self._make(resolved=[('oslo.db', '12.0'), ('ddt', '2.0'),
                             ('extra', '1.1'), ('pip', '99')])
        self.assertEqual(
            'ddt==2.0\nextra==1.1\noslo.db==12.0 ; python_version >= "3.13"\n',
            self.series.load('two').constraints.read_text())
        published, wanted, required = self.resolve.call_args.args[2:]
        self.assertEqual(
            {'oslo-db': '12.0', 'extra': '1.1', 'ddt': '2.0'}, published)
        self.assertEqual({'oslo-db', 'ddt'}, set(wanted))
        self.assertEqual(['oslo.db>=10\n', 'ddt\n'], required)

    def test_reasons(self):
        (self.other.path / 'series').write_text(
            '# topic a\n0001-a.patch\n# lacks 0002-b.patch: it has that\n'
            '# topic b: needs a\n')
        self._make()
        self.assertEqual(
            '# topic a\n# lacks 0002-b.patch: it has that\n'
            '# topic b: needs a\n',
            (self.series.root / 'two/series').read_text())

    def test_folder_is_there(self):
        (self.series.root / 'two').mkdir()
        self.assertRefused(
            exceptions.BadInput, ['two', 'move it away'], self._make)

    def test_refused(self):
        wrong = hashlib.sha256(b'').hexdigest()
        for words, changed in (
                ('no name', {'name': 'Two!'}), ('version', {'version': '3'}),
                ('sha256', {
                    'sha256': wrong, 'sdist_file':
                    self.series.state.sdists / 'nova-3.0.0.tar.gz'}),
                ('cannot be read', {
                    'constraints': [self.series.top / 'missing']}),
                ('no constraint', {'constraints': [
                    self.series.root / 'one/series']})):
            self.assertRefused(
                exceptions.VolopsError, words, self._make, **changed)
            self.assertEqual(['one'], nova_base.names(self.series.root))
