# SPDX-License-Identifier: Apache-2.0

import pathlib
import subprocess

import ddt
import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import features
from nova_volops_plugin.series import tree as series_tree
from nova_volops_plugin import state
from nova_volops_plugin.tempest_run import conf
from nova_volops_plugin.tests import devstack


@ddt.ddt
class DevStackTest(testtools.TestCase):
    """The plugin's phases on real trees of Nova, one base each"""

    def setUp(self):
        super().setUp()
        top = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.nova = top / 'nova'
        self.devstack = self.useFixture(devstack.DevStack(self.nova))

    def git(self, *arguments):
        return subprocess.run(
            ['git', '-C', str(self.nova)] + list(arguments), check=True,
            capture_output=True, text=True).stdout.strip()

    def commit(self, *arguments):
        self.git('-c', 'user.name=x', '-c', 'user.email=x@example.org',
                 'commit', '--quiet', '-a', '-m', 'another', *arguments)

    def tree(self):
        self.assertEqual('', self.git('status', '--porcelain', '-uno'))
        return self.git('rev-parse', 'HEAD^{tree}')

    def clone(self, name):
        """Give DevStack the base as its Nova."""
        base = nova_base.Base.load(name)
        fetched = series_tree.fetch(state.StateDir(), base)
        subprocess.run(
            ['git', 'clone', '--quiet', '--no-checkout', str(fetched),
             str(self.nova)], check=True)
        self.git('checkout', '--quiet', repository.tag(base))
        self.assertEqual(base.base_tree, self.tree())
        return base

    def phase(self, *arguments, **variables):
        done = self.devstack.phase(*arguments, **variables)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    @ddt.data(*nova_base.names())
    def test_stack_and_unstack(self, name):
        base = self.clone(name)
        self.phase('source')
        self.phase('stack', 'pre-install')
        self.assertEqual(base.base_tree, self.tree())

        self.phase('stack', 'install')
        self.assertEqual(base.tree, self.tree())
        self.assertFalse(self.devstack.nova_conf.exists())

        # A second stack.sh finds the series there and leaves it.
        head = self.git('rev-parse', 'HEAD')
        self.assertIn('already', self.phase('stack', 'install'))
        self.assertEqual(head, self.git('rev-parse', 'HEAD'))

        self.phase('stack', 'post-config')
        self.assertEqual(
            {'DEFAULT': {'shelved_offload_time': '-1'},
             'compute': {'dangling_attachment_age': '20'}},
            self.devstack.options(self.devstack.nova_conf))
        self.phase('stack', 'extra')
        self.phase('stack', 'test-config')
        options = self.devstack.options(self.devstack.tempest_conf)
        told = options.pop('volume_ops')
        self.assertEqual('20', told.pop('dangling_attachment_age'))
        self.assertEqual(
            {option: str(value)
             for option, value in conf.volume_ops(base).items()}, told)
        self.assertEqual({'compute': {'shelved_offload_time': '-1'}}, options)
        self.assertEqual(base.tree, self.tree())

        self.phase('unstack')
        self.assertEqual(base.base_tree, self.tree())
        self.phase('unstack')
        self.assertEqual(base.base_tree, self.tree())
        self.phase('clean')
        self.assertEqual(base.base_tree, self.tree())
        self.assertFalse((self.devstack.data / 'nova-volops').exists())

    def test_one_topic(self):
        """Nova gets it with those it needs, and Tempest is told of no other"""
        base = self.clone(nova_base.default().name)
        name = list(combination.Series(base).topics)[1]
        only = {'NOVA_VOLOPS_TOPICS': name}
        for _again in range(2):
            self.phase('stack', 'install', **only)
            self.assertEqual(base.topics[name], self.tree())
        self.phase('stack', 'test-config', **only)
        told = self.devstack.options(self.devstack.tempest_conf)['volume_ops']
        found = features.of(base, [name])
        self.assertNotIn(found, ((), features.FEATURES))
        self.assertEqual(
            {feature: str(feature in found) for feature in features.FEATURES},
            {feature: told[feature] for feature in features.FEATURES})
        self.phase('unstack', **only)
        self.assertEqual(base.base_tree, self.tree())

    def test_unknown_topic(self):
        base = self.clone(nova_base.default().name)
        done = self.devstack.phase(
            'stack', 'install', NOVA_VOLOPS_TOPICS='fixes,x')
        self.assertEqual(1, done.returncode)
        self.assertIn("there is no topic 'x'", done.stderr)
        self.assertEqual(base.base_tree, self.tree())

    def _make_unknown(self, version):
        """Let the tree be another release, as its tags tell."""
        self.git('rm', '--quiet', 'PKG-INFO')
        path = self.nova / 'nova/api/openstack/api_version_request.py'
        path.write_text(path.read_text().replace(
            "_MAX_API_VERSION = '2.", "_MAX_API_VERSION = '2.9"))
        self.commit()
        self.git('tag', version)

    def test_unknown_release(self):
        """A release without a series is refused and left as it was"""
        self.clone(nova_base.default().name)
        self._make_unknown('9.0.1')
        before = self.tree()
        done = self.devstack.phase('stack', 'install')
        self.assertEqual(1, done.returncode)
        self.assertIn('9.0.1', done.stderr)
        self.assertIn('NOVA_BRANCH', done.stderr)
        self.assertEqual(before, self.tree())

    def test_changed_nova(self):
        """A series that does not apply leaves the tree as it was"""
        base = self.clone(nova_base.default().name)
        path = sorted(base.path.glob('*.patch'))[0].read_text()
        name = [line.split(' b/')[1] for line in path.splitlines()
                if line.startswith('diff --git') and
                (self.nova / line.split(' b/')[1]).exists()][0]
        (self.nova / name).write_text('# Rewritten\n')
        self.commit()
        before = self.tree()
        done = self.devstack.phase('stack', 'install')
        self.assertEqual(1, done.returncode)
        self.assertIn('does not apply', done.stderr)
        self.assertIn(name, done.stderr)
        self.assertEqual(before, self.tree())

    def test_work_on_top_survives_unstack(self):
        """unstack.sh goes on, and does not take a developer's work away"""
        self.clone(nova_base.default().name)
        self.phase('stack', 'install')
        self.commit('--allow-empty')
        head = self.git('rev-parse', 'HEAD')
        self.phase('unstack')
        self.assertEqual(head, self.git('rev-parse', 'HEAD'))
