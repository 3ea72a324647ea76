# SPDX-License-Identifier: Apache-2.0

import json
import os

import fixtures

from nova_volops_plugin.bases import git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import tree
from nova_volops_plugin.series import work_tree
from nova_volops_plugin.tests.unit.series import killed
from nova_volops_plugin.tests.unit.series import samples

_MANAGER = 'nova/compute/manager.py'


class _TestCase(samples.PatchedTestCase):

    def setUp(self):
        super().setUp()
        self.released = self.tree.head()

    def assertUntouched(self, head=None):
        self.assertEqual(head or self.released, self.tree.head())
        self.assertEqual(
            '', self.git.line('status', '--porcelain', '--untracked-files'))


class ApplyTest(_TestCase):

    def test_apply_and_revert(self):
        before = samples.snapshot(self.path)
        self.tree.apply(self.base)
        self.assertEqual(self.base.tree, self.tree.tree())
        self.assertEqual(
            checkout.Status('patched', 3, 3, True),
            self.tree.status(self.base))
        self.assertIn('line_20 = 21', (self.path / _MANAGER).read_text())
        self.tree.revert(self.base)
        self.assertUntouched()
        self.assertEqual(before, samples.snapshot(self.path))
        self.assertEqual('released', self.tree.status(self.base).state)

    def test_dirty(self):
        (self.path / 'README.rst').write_text('changed')
        self.assertRefused(
            checkout.Refused, ['README.rst', 'git stash'],
            self.tree.apply, self.base)
        self.assertEqual(self.released, self.tree.head())
        self.assertFalse(self.tree.status(self.base).clean)

    def test_touched_but_equal_file_is_not_dirty(self):
        os.utime(self.path / _MANAGER, (1, 1))
        self.tree.apply(self.base)
        self.assertEqual(self.base.tree, self.tree.tree())

    def test_untracked_file_in_the_way(self):
        mine = self.path / 'nova/compute/reimage.py'
        mine.write_text('mine')
        self.assertRefused(
            exceptions.BadInput, ['does not track', 'reimage.py'],
            self.tree.apply, self.base)
        self.assertEqual('mine', mine.read_text())
        self.assertEqual(self.released, self.tree.head())

    def test_does_not_fit(self):
        text = (self.path / _MANAGER).read_text()
        self.series.commit(
            self.path, {_MANAGER: text.replace('line_20 = 20', 'x')}, 'Mine')
        head = self.tree.head()
        self.assertRefused(
            stack.DoesNotApply,
            ['0002-compute-change-a-line.patch', 'file ' + _MANAGER,
             'hunk 1', 'line 18', 'Nothing was changed'],
            self.tree.apply, self.base)
        self.assertUntouched(head)

    def test_missing_file(self):
        self.series.commit(self.path, {_MANAGER: None}, 'Mine')
        self.assertRefused(
            stack.DoesNotApply,
            ['0002-compute-change-a-line.patch', _MANAGER, 'index'],
            self.tree.apply, self.base)

    def test_edited_patch(self):
        patch = self.base.path / '0001-add-a-module.patch'
        patch.write_text(patch.read_text().replace('+VALUE', '+OTHER'))
        self.assertRefused(
            exceptions.VolopsError, ['base.conf records', 'patch verify'],
            self.tree.apply, self.base)
        self.assertUntouched()

    def test_hooks_do_not_run(self):
        hooks = self.path / '.git/hooks'
        hooks.mkdir(exist_ok=True)
        for name in ('post-checkout', 'reference-transaction'):
            (hooks / name).write_text('#!/bin/sh\ntouch %s/ran\n' %
                                      self.series.top)
            (hooks / name).chmod(0o755)
        self.tree.apply(self.base)
        self.assertFalse((self.series.top / 'ran').exists())


class RevertTest(_TestCase):

    def test_nothing(self):
        self.assertRefused(
            checkout.Refused, 'no patch of one', self.tree.revert, self.base)

    def test_part_of_the_series(self):
        self.tree.apply(self.base)
        self.git.run('reset', '-q', '--hard', 'HEAD^')
        self.assertEqual(
            checkout.Status('partly', 2, 3, True),
            self.tree.status(self.base))
        self.tree.revert(self.base)
        self.assertUntouched()


class OwnCheckoutTest(_TestCase):

    def test_worktree_and_branch(self):
        work = self.series.top / 'work'
        self.git.run('worktree', 'add', '-q', '-b', 'mine', work)
        other = checkout.Checkout(work, git.isolated(work))
        other.apply(self.base)
        self.assertEqual('mine', other.git.line(
            'symbolic-ref', '--short', 'HEAD'))
        self.assertEqual(self.base.tree, other.tree())
        self.assertUntouched()

    def test_detached(self):
        self.git.run('checkout', '-q', '--detach')
        self.tree.apply(self.base)
        self.assertEqual(self.base.tree, self.tree.tree())


class KilledTest(_TestCase):

    def test_at_every_step(self):
        kills = {'apply': 0, 'revert': 0}
        for action in kills:
            step = 1
            while killed.run('git', self.series, self.path, action, step):
                kills[action] += 1
                self.tree.recover()
                self.assertIn(
                    self.tree.tree(), (self.base.base_tree, self.base.tree))
                self.assertUntouched(self.tree.head())
                # The next one works; then back to where it began.
                if self._before(action):
                    getattr(self.tree, action)(self.base)
                self._put_back(action)
                step += 1
            self.assertEqual(
                self.base.tree if action == 'apply' else self.base.base_tree,
                self.tree.tree())
        self.assertGreater(kills['apply'], 15)
        self.assertGreater(kills['revert'], 5)

    def _before(self, action):
        applied = self.tree.tree() == self.base.tree
        return applied == (action == 'revert')

    def _put_back(self, action):
        if not self._before(action):
            getattr(self.tree, 'revert' if action == 'apply' else 'apply')(
                self.base)

    def test_files_half_written(self):
        """As when git itself is killed while it writes the files."""
        self.tree.apply(self.base)
        head = self.tree.head()
        self.tree.revert(self.base)
        folder = work_tree.git_folder(self.git)
        (folder / 'nova-volops.json').write_text(json.dumps(
            {'old': self.released, 'new': head}))
        (folder / 'nova-volops.index.lock').write_text('')
        (self.path / _MANAGER).write_text('half')
        (self.path / 'nova/compute/reimage.py').write_text('ha')
        (self.path / 'README.rst').write_text('a change of the user')
        log = self.useFixture(fixtures.FakeLogger())
        self.assertRefused(
            checkout.Refused, 'README.rst', self.tree.apply, self.base)
        self.assertIn('interrupted', log.output)
        self.assertEqual(['README.rst'], self.tree.dirty())
        self.git.run('checkout', '-q', 'README.rst')
        self.assertUntouched()
        self.assertFalse((self.path / 'doc').exists())


class EnsureTest(_TestCase):

    def _ensure(self, patched=True, **kwargs):
        path = tree.ensure(self.series.state, self.series.load('one'), patched,
                           **kwargs)
        return checkout.Checkout(path, git.isolated(path))

    def test_two_trees(self):
        patched, released = self._ensure(), self._ensure(False)
        self.assertEqual(self.base.tree, patched.tree())
        self.assertEqual(self.base.base_tree, released.tree())
        self.assertNotEqual(patched.path, released.path)
        for each in patched, released:
            self.assertTrue((each.path / 'nova.egg-info').is_dir())

    def test_cleaned_tree(self):
        """The next use repairs what "git clean" took."""
        path = self._ensure().path
        self.git.run('clean', '-q', '-f', '-d', '-x')
        self.assertFalse((path / 'nova.egg-info').exists())
        self._ensure()
        self.assertTrue((path / 'nova.egg-info/entry_points.txt').is_file())

    def test_refreshed_series(self):
        """A tree that has the series' old state gets the new one."""
        old = self._ensure().tree()
        clone = self.series.top / 'clone-one'
        self.series.commit(clone, {'nova/compute/reimage.py': 'VALUE = 2\n'},
                           samples.message('Change the module'))
        self.series.export('one', clone)
        new = self._ensure().tree()
        self.assertNotEqual(old, new)
        self.assertEqual(self.series.load('one').tree, new)

    def test_other_patches_of_the_same_tree(self):
        """They are put on it where commits matter."""
        old = self._ensure().head()
        self.assertEqual(old, self._ensure(commits=True).head())
        clone = self.series.top / 'clone-one'
        samples.repository(clone).run(
            'commit', '-q', '--amend', '-m',
            samples.message('Say it otherwise'))
        self.series.export('one', clone)
        self.assertEqual(old, self._ensure().head())
        new = self._ensure(commits=True)
        self.assertNotEqual(old, new.head())
        self.assertEqual(self.base.tree, new.tree())
        self.assertEqual('Say it otherwise',
                         self.git.line('log', '-1', '--format=%s'))

    def test_own_commits_are_kept(self):
        self._ensure()
        self.series.commit(self.path, {'README.rst': 'Mine'}, 'Mine')
        head = self.tree.head()
        self.assertRefused(
            exceptions.VolopsError, ['commits of yours', 'reset --hard'],
            self._ensure)
        self.assertEqual(head, self.tree.head())

    def test_own_changes_are_kept(self):
        self._ensure()
        (self.path / 'README.rst').write_text('Mine')
        self.assertRefused(checkout.Refused, 'README.rst', self._ensure)
        self.assertEqual('Mine', (self.path / 'README.rst').read_text())
