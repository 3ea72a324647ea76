# SPDX-License-Identifier: Apache-2.0

"""The wheel alone, beside OpenStackClient in an environment of its own."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.tests import documents
from nova_volops_plugin.tests.functional.embedded import base
from nova_volops_plugin.tests.unit.series import samples


class TestWheel(base.CloudTest):
    """What is committed is built and installed once for all tests."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='volops-wheel-'))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        source = cls.folder / 'source'
        cls._do('git', 'clone', '--quiet', documents.TOP, source)
        cls._do(sys.executable, '-m', 'pip', 'wheel', '--quiet', '--no-deps',
                '--no-build-isolation', '--wheel-dir', cls.folder, source)
        cls.committed = samples.snapshot(source / 'nova-patches')
        # Nothing can be found in it by chance.
        shutil.rmtree(source)
        wheel, = cls.folder.glob('*.whl')
        with zipfile.ZipFile(wheel) as files:
            cls.files = files.namelist()
        cls._do(sys.executable, '-m', 'venv', cls.folder / 'venv')
        cls._do(cls.folder / 'venv/bin/pip', 'install', '--quiet',
                '%s[tool]' % wheel, 'python-openstackclient')

    @classmethod
    def _do(cls, *words):
        subprocess.run(words, check=True, cwd=cls.folder)

    def run_installed(self, *words):
        done = subprocess.run(
            (self.folder / 'venv/bin' / words[0], *words[1:]), text=True,
            cwd=self.folder, capture_output=True, env=dict(
                self.cloud.environ(), HOME=str(self.folder),
                PATH='/usr/bin:/bin'))
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def test_commands(self):
        shown = self.run_installed('openstack', 'help')
        for command in ('server attachment create', 'server multiple create',
                        'server volume rebuild'):
            self.assertIn('  %s  ' % command, shown)
        image = next(self.openstack.image.images()).id
        self.run_installed(
            'openstack', 'server', 'multiple', 'create', '--flavor', 'm1.tiny',
            '--image', image, '--no-network', '--wait', 'wheel')
        self.openstack.block_storage.create_volume(name='wheel', size=1)
        attached = json.loads(self.run_installed(
            'openstack', 'server', 'attachment', 'create', '--read-only',
            '--wait', '-f', 'json', 'wheel', 'wheel'))
        self.assertEqual('ro', attached['Mode'])

    def test_has_no_tests(self):
        self.assertIn('nova_volops_plugin/series/patch.py', self.files)
        self.assertEqual([], [name for name in self.files if
                              name.startswith('nova_volops_plugin/tests/')])

    def test_series(self):
        self.assertEqual(self.committed, samples.snapshot(
            self.folder / 'venv/share/nova-volops/nova-patches'))
        known = nova_base.default()
        unpacked = self.folder / ('nova-' + known.version)
        shutil.unpack_archive(self.state.sdists / known.sdist, self.folder)
        words = ('--tree', str(unpacked))
        self.run_installed('nova-volops', 'patch', 'apply', *words)
        self.assertEqual('patched %d\n' % len(
            list(known.path.glob('*.patch'))
        ), self.run_installed(
            'nova-volops', 'patch', 'status', '-f', 'value',
            '-c', 'state', '-c', 'applied', *words).replace('\n', ' ', 1))
        self.run_installed('nova-volops', 'patch', 'revert', *words)
