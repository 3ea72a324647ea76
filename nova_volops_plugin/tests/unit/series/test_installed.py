# SPDX-License-Identifier: Apache-2.0

import shutil
import subprocess

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import installed
from nova_volops_plugin.series import stack
from nova_volops_plugin.tests.unit.series import killed
from nova_volops_plugin.tests.unit.series import samples
from nova_volops_plugin.tests.unit.series import topic_trees


class InstalledTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_patched('one')
        fetched, git = self.series.fetch('one')
        self.path = self.series.top / 'site-packages'
        shutil.copytree(fetched / 'nova', self.path / 'nova')
        self.before = samples.snapshot(self.path)
        self.tree = installed.Installed(self.path)

    def assertUntouched(self):
        self.assertEqual(self.before, samples.snapshot(self.path))
        self.assertFalse((self.path / '.nova-volops').exists())

    def test_apply_and_revert(self):
        self.tree.apply(self.base)
        self.assertEqual(
            checkout.Status('patched', 3, 3, True),
            self.tree.status(self.base))
        after = samples.snapshot(self.path / 'nova')
        self.assertEqual(b'VALUE = 1\n', after['compute/reimage.py'])
        self.assertIn(b'line_20 = 21', after['compute/manager.py'])
        self.assertFalse((self.path / 'doc').exists())
        self.tree.revert(self.base)
        self.assertUntouched()
        self.assertEqual(
            checkout.Status('released', 0, 3, True),
            self.tree.status(self.base))

    def test_modes_are_kept(self):
        manager = self.path / 'nova/compute/manager.py'
        manager.chmod(0o640)
        self.tree.apply(self.base)
        self.assertEqual(0o640, manager.stat().st_mode & 0o777)
        self.tree.revert(self.base)
        self.assertEqual(0o640, manager.stat().st_mode & 0o777)

    def test_without_tests(self):
        """Distributions leave out nova/tests."""
        shutil.rmtree(self.path / 'nova/tests')
        self.tree.apply(self.base)
        self.assertFalse((self.path / 'nova/tests').exists())

    def test_does_not_fit(self):
        manager = self.path / 'nova/compute/manager.py'
        manager.write_text('other\n')
        self.before = samples.snapshot(self.path)
        self.assertRefused(
            stack.DoesNotApply,
            ['0002-compute-change-a-line.patch', 'hunk 1'],
            self.tree.apply, self.base)
        self.assertUntouched()

    def test_revert_nothing(self):
        self.assertRefused(
            checkout.Refused, 'nothing to take off',
            self.tree.revert, self.base)
        self.assertUntouched()

    def test_inside_another_repository(self):
        subprocess.run(['git', 'init', '-q', str(self.series.top)],
                       check=True)
        self.tree.apply(self.base)
        self.assertEqual('patched', self.tree.status(self.base).state)

    def test_killed_at_every_step(self):
        for action in ('apply', 'revert'):
            step = 1
            while True:
                if action == 'revert':
                    self.tree.apply(self.base)
                if not killed.run('files', self.series, self.path, action,
                                  step):
                    break
                # Whatever was left, both ways are open.
                if self.tree.status(self.base).state == 'released':
                    self.tree.apply(self.base)
                self.tree.revert(self.base)
                self.assertUntouched()
                step += 1
            self.assertGreater(step, 5)
            if action == 'apply':
                self.tree.revert(self.base)
        self.assertUntouched()


class TopicsTest(topic_trees.TestCase):

    def _make(self):
        shutil.copytree(self.fetched / 'nova', self.path / 'nova')
        self.before = self._state()
        return installed.Installed(self.path)

    def _state(self):
        return samples.snapshot(self.path)

    def _wanted(self, subjects):
        # No other file is installed.
        return {path: text for path, text in super()._wanted(subjects).items()
                if path.startswith('nova/')}

    def assertHas(self, *names):
        super().assertHas(*names)
        self.assertFalse((self.path / '.nova-volops/previous').exists())

    def test_changed_since(self):
        self._apply('shelved')
        changed = self.path / 'nova/compute/rpcapi.py'
        changed.write_text('mine')
        self.assertFalse(self.tree.status(self.base).clean)
        for function, name in ((self._apply, 'rebuild'),
                               (self._revert, 'shelved')):
            self.assertRefused(
                checkout.Refused, 'nova/compute/rpcapi.py', function, name)
        self.assertEqual('mine', changed.read_text())

    def test_unknown_topic_leaves_nothing(self):
        self.assertRefused(exceptions.BadInput, 'no topic', self._apply, 'x')
        self.assertEqual(self.before, self._state())

    def test_not_writable_midway(self):
        """All files are as they were when one cannot be written."""
        self._apply('fixes')
        put = self.tree._put

        def fail(path, content):
            if path.endswith('rpcapi.py'):
                raise OSError(28, 'No space left on device', path)
            put(path, content)

        self.patch(self.tree, '_put', fail)
        self.assertRefused(
            exceptions.VolopsError, 'as they were', self._apply, 'shelved')
        self.assertHas('fixes')

    def test_killed_while_topics_change(self):
        """The files have the topics of before or those of after."""
        self._apply('fixes')
        for action, after in (
                ('apply:shelved', ('fixes', 'shelved')),
                ('revert:shelved', ('fixes',))):
            before = self.tree.status(self.base).topics
            step = 1
            while killed.run('files', self.series, self.path, action, step):
                self.tree.recover()
                shutil.rmtree(self.path / '.nova-volops/previous',
                              ignore_errors=True)
                found = self.tree.status(self.base).topics
                self.assertIn(found, (before, after))
                self.assertHas(*found)
                if found == after:
                    (self._apply if 'revert' in action else
                     self._revert)('shelved')
                    self.assertHas(*before)
                # A process each: not before every step.
                step += 4
            self.assertGreater(step, 10)
            self.assertHas(*after)
