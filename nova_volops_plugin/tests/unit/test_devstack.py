# SPDX-License-Identifier: Apache-2.0

import pathlib
import shutil

import fixtures
import testtools

from nova_volops_plugin.tests import devstack


class SettingsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.devstack = self.useFixture(devstack.DevStack())

    def value(self, name, **variables):
        done = self.devstack.run('echo "${%s}"' % name, **variables)
        self.assertEqual('', done.stderr)
        return done.stdout.strip()

    def test_tempest_gets_the_tests(self):
        top = str(devstack.PLUGIN.parent)
        self.assertEqual(top, self.value('TEMPEST_PLUGINS'))
        self.assertEqual(top, self.value('TEMPEST_PLUGINS',
                                         TEMPEST_PLUGINS='0'))
        self.assertEqual('/other ' + top, self.value(
            'TEMPEST_PLUGINS', TEMPEST_PLUGINS='/other'))

    def test_sourcing_twice_adds_nothing(self):
        done = self.devstack.run('source "%s/settings"; echo '
                                 '"$TEMPEST_PLUGINS"' % devstack.PLUGIN)
        self.assertEqual(str(devstack.PLUGIN.parent), done.stdout.strip())

    def test_defaults_and_localrc(self):
        self.assertEqual('True', self.value('NOVA_VOLOPS_APPLY'))
        self.assertEqual('False', self.value('NOVA_VOLOPS_APPLY',
                                             NOVA_VOLOPS_APPLY='no'))
        self.assertEqual('-1', self.value('NOVA_VOLOPS_SHELVED_OFFLOAD_TIME'))
        self.assertEqual('0', self.value(
            'NOVA_VOLOPS_SHELVED_OFFLOAD_TIME',
            NOVA_VOLOPS_SHELVED_OFFLOAD_TIME='0'))


class DispatchTest(testtools.TestCase):
    """What a phase is about may not be there"""

    def _check(self, services, *phases):
        stand_in = self.useFixture(devstack.DevStack(services=services))
        for phase in phases:
            done = stand_in.phase(*phase)
            self.assertEqual((0, ''), (done.returncode, done.stderr), phase)
        self.assertEqual({'define_plugin nova-volops'},
                         set(stand_in.called()))
        self.assertFalse(stand_in.nova_conf.exists())
        self.assertFalse(stand_in.tempest_conf.exists())

    def test_without_tempest(self):
        self._check(['nova'], ('stack', 'test-config'))

    def test_without_nova(self):
        self._check(['tempest'], ('stack', 'install'),
                    ('stack', 'post-config'), ('stack', 'test-config'),
                    ('unstack',), ('clean',))

    def test_trace_is_put_back(self):
        for setting in ('-x', '+x'):
            stand_in = self.useFixture(devstack.DevStack())
            done = stand_in.run(
                'set %s; source "%s/plugin.sh" source 2> /dev/null; '
                'set +o | grep xtrace' % (setting, devstack.PLUGIN))
            self.assertIn('set %so xtrace' % setting[0], done.stdout)


class InstallTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        nova = self.useFixture(fixtures.TempDir()).path
        self.devstack = self.useFixture(devstack.DevStack(nova))

    def old_python(self):
        """A PATH whose only Pythons are too old."""
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        for name in ('python3', 'python3.10', 'python3.11', 'python3.12',
                     'python3.13'):
            (folder / name).write_text('#!/bin/sh\nexit 1\n')
            (folder / name).chmod(0o755)
        for name in ('bash', 'dirname', 'readlink', 'grep', 'sh'):
            (folder / name).symlink_to(shutil.which(name))
        return folder

    def test_no_python(self):
        done = self.devstack.phase(
            'stack', 'install', NOVA_VOLOPS_PYTHON='', PATH=self.old_python())
        self.assertEqual(1, done.returncode)
        self.assertIn('NOVA_VOLOPS_PYTHON', done.stderr)
        self.assertEqual([], [line for line in self.devstack.called()
                              if line.startswith('install_package')])

    def test_ubuntu_gets_a_python(self):
        self.devstack.phase(
            'stack', 'install', NOVA_VOLOPS_PYTHON='', STUB_UBUNTU='1',
            PATH=self.old_python())
        self.assertIn('install_package python3 python3-venv',
                      self.devstack.called())

    def test_tool_is_installed_from_this_repository(self):
        self.devstack.phase('stack', 'install')
        self.assertIn('pip install --quiet %s[tool]' % devstack.PLUGIN.parent,
                      self.devstack.called())

    def test_no_nova(self):
        """What is no Nova is an error that says so"""
        done = self.devstack.phase('stack', 'install')
        self.assertEqual(1, done.returncode)
        self.assertIn('holds no Nova', done.stderr)
        self.assertIn('There is no volume operations series', done.stderr)

    def test_apply_switched_off(self):
        done = self.devstack.phase('stack', 'install', NOVA_VOLOPS_APPLY='0')
        self.assertEqual(0, done.returncode)
        self.assertEqual(['define_plugin nova-volops'],
                         self.devstack.called())
        done = self.devstack.phase(
            'stack', 'test-config', NOVA_VOLOPS_APPLY='0')
        self.assertEqual(0, done.returncode)
        self.assertEqual(
            {'compute': {'shelved_offload_time': '-1'}},
            self.devstack.options(self.devstack.tempest_conf))

    def test_unstack_without_stack(self):
        done = self.devstack.phase('unstack')
        self.assertEqual((0, ''), (done.returncode, done.stderr))
