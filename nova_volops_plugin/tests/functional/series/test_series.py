# SPDX-License-Identifier: Apache-2.0

"""The real series on the released Novas."""

import ast
import pathlib
import re
import shutil
import tempfile

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import sdist
from nova_volops_plugin.series import branches
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import detect
from nova_volops_plugin.series import export
from nova_volops_plugin.series import installed
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import tree
from nova_volops_plugin import state
from nova_volops_plugin.tests.unit.series import samples


class SeriesTest:
    """Mixed into the tests of one base, in a state folder of their own.

    :cvar name: of the base
    """

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = nova_base.Base.load(cls.name)
        # The distribution is downloaded once a machine.
        cls.archive = sdist.ensure(state.StateDir(), cls.base)
        folder = tempfile.mkdtemp(prefix='nova-volops-')
        cls.addClassCleanup(shutil.rmtree, folder)
        private = state.StateDir(folder)
        shutil.copy(cls.archive, private.sdists)
        cls.fetched = tree.fetch(private, cls.base)

    def setUp(self):
        super().setUp()
        self.top = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        # Unpacked once, then cloned: a test changes its tree.
        self.path = self.top / self.name
        tree._clone(self.fetched, self.path, self.base)
        self.tree = checkout.Checkout(
            self.path, samples.repository(self.path))

    def test_apply_export_revert(self):
        before = samples.snapshot(self.path)
        self.assertEqual(self.base.base_tree, self.tree.tree())
        self.tree.apply(self.base)
        self.assertEqual(self.base.tree, self.tree.tree())
        status = self.tree.status(self.base)
        self.assertEqual(('patched', True), (status.state, status.clean))
        self.assertEqual(status.total, status.applied)

        root = shutil.copytree(self.base.path.parent, self.top / 'patches')
        copy = nova_base.Base.load(self.name, root)
        files = samples.snapshot(root)
        self.assertEqual([], export.export(
            copy, self.tree.git, self.tree,
            export.start(self.tree, copy), root))
        self.assertEqual(files, samples.snapshot(root))

        self.tree.revert(self.base)
        self.assertEqual(before, samples.snapshot(self.path))

    def test_topics(self):
        """Each gives the recorded tree, and the branch for its review."""
        series = combination.Series(self.base, lambda: self.path)
        self.assertEqual(series.names(), tuple(self.base.topics))
        released = self.tree.head()
        for name in series.names():
            self.tree.apply(self.base, [name], lambda: self.path)
            self.assertEqual(self.base.topics[name], self.tree.tree())
            self.assertEqual(series.names([name]),
                             self.tree.status(self.base).topics)
            self.tree.revert(self.base)
        self.tree.git.run('branch', '--move', 'mine')
        for key in 'name', 'email':
            self.tree.git.run('config', 'user.' + key, 'me')
        made = branches.make(self.tree, self.base, lambda: self.path)
        self.assertEqual(list(series.names()), [each.topic for each in made])
        for each in made:
            self.assertEqual(self.base.topics[each.topic],
                             self.tree.git.line(
                                 'rev-parse', each.name + '^{tree}'))
            self.assertEqual(
                '%d' % each.commits, self.tree.git.line(
                    'rev-list', '--count', '%s..%s' % (released, each.name)))
            self.assertNotIn('Upstream-Status', self.tree.git.line(
                'log', '--format=%B', '%s..%s' % (released, each.name)))
        self.assertEqual(released, self.tree.head())

    def test_git_am(self):
        patches = sorted(self.base.path.glob('*.patch'))
        self.tree.git.run('am', '-q', '--whitespace=error-all', *patches)
        self.assertEqual(self.base.tree, self.tree.tree())

    def test_every_patch_compiles(self):
        """Each commit's changed modules are Python."""
        made = stack.commits(
            self.tree.git, self.tree.head(),
            series_patch.load(self.base))
        changed = [
            '%s:%s' % (commit, name) for commit in made
            for name in self.tree.git.lines(
                'diff-tree', '--no-commit-id', '--name-only', '-r', '-z',
                '--diff-filter=AM', commit) if name.endswith('.py')]
        self.assertNotEqual([], changed)
        for name, source in zip(changed, self.tree.git.objects(changed)):
            ast.parse(source, name)

    def test_upstream_checkout(self):
        """Nova's repository differs from its distribution."""
        setup = (self.path / 'setup.cfg').read_text()
        for name, text in (('setup.cfg', setup.replace('\n\n', '\n')),
                           ('.gitignore', '*.pyc\n.stestr/\n')):
            (self.path / name).write_text(text)
        self.tree.git.run('rm', '-q', 'PKG-INFO')
        self.tree.git.run('add', '-A')
        self.tree.git.run('commit', '-q', '-m', 'upstream')
        shutil.rmtree(self.path / 'nova.egg-info')
        opened = detect.open_tree(self.path)
        self.assertEqual(self.name, detect.identify(opened).name)
        head = opened.head()
        opened.apply(self.base)
        self.assertEqual('patched', opened.status(self.base).state)
        self.assertEqual(self.name, detect.identify(opened).name)
        opened.revert(self.base)
        self.assertEqual(head, opened.head())

    def test_unpacked(self):
        """As pip or a distribution installs it: files, no git."""
        path = self.top / 'unpacked'
        shutil.unpack_archive(self.archive, path)
        path = path / ('nova-' + self.base.version)
        before = samples.snapshot(path)
        opened = detect.open_tree(path)
        self.assertIsInstance(opened, installed.Installed)
        self.assertEqual(self.name, detect.identify(opened).name)
        opened.apply(self.base)
        self.assertEqual('patched', opened.status(self.base).state)
        self.tree.apply(self.base)
        self.assertEqual(
            self._python(self.path / 'nova'), self._python(path / 'nova'))
        opened.revert(self.base)
        self.assertEqual(before, samples.snapshot(path))

    def _python(self, path):
        return {name: content for name, content in
                samples.snapshot(path).items() if name.endswith('.py')}


for _name in nova_base.names():
    _class = 'SeriesOf%sTest' % re.sub(r'\W', '_', _name)
    globals()[_class] = type(_class, (SeriesTest, testtools.TestCase), {
        'name': _name, '__module__': __name__})
