# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.bases import git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import export
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import verify
from nova_volops_plugin.tests.unit.series import samples


class ExportTest(samples.PatchedTestCase):

    def test_settings_and_attributes_do_not_count(self):
        before = samples.snapshot(self.series.root)
        self.tree.apply(self.base)
        for name, value in (
                ('diff.noprefix', 'true'), ('diff.algorithm', 'patience'),
                ('diff.context', '7'), ('format.signature', 'me'),
                ('format.useAutoBase', 'true'), ('format.notes', 'true'),
                ('diff.x.xfuncname', '^line_2'), ('core.abbrev', '8'),
                ('diff.orderFile', '/dev/null'), ('format.signOff', 'true'),
                ('format.headers', 'X: y')):
            self.git.run('config', name, value)
        for name in '.git/info/attributes', '.gitattributes':
            (self.path / name).write_text('*.py diff=x\n')
        self.assertEqual([], self.series.export('one', self.path))
        self.assertEqual(before, samples.snapshot(self.series.root))

    def test_other_base_commit(self):
        """Another repository's base has another commit id."""
        other = self.series.top / 'other'
        repository = samples.cloned(self.path, other)
        repository.run('commit', '-q', '--amend', '-m', 'other')
        repository.run('am', '-q', *sorted(self.base.path.glob('*.patch')))
        with self.unchanged():
            self.series.export('one', other)

    def test_upstream_checkout(self):
        """The commit below the series has not the release's files."""
        self.series.commit(
            self.path, {'PKG-INFO': None, '.gitignore': 'x\n'}, 'upstream')
        self.git.run('reset', '-q', '--hard', self.git.line(
            'commit-tree', '-m', 'upstream', 'HEAD^{tree}'))
        self.assertRefused(
            exceptions.BadInput, '--since', export.start, self.tree, self.base)
        self.tree.apply(self.base)
        with self.unchanged():
            self.assertEqual([], self.series.export('one', self.path))

    def test_removed_patch(self):
        self.tree.apply(self.base)
        self.git.run('reset', '-q', '--hard', 'HEAD^')
        self.assertEqual(
            ['one/0003-api-add-microversion-2.11.patch', 'one/base.conf',
             'one/series'], self.series.export('one', self.path))
        self.assertEqual(('2.10', '2.10'),
                         self.series.load('one').microversions)

    def test_unpatched_tree_does_not_empty_the_series(self):
        with self.unchanged():
            self.assertRefused(
                exceptions.BadInput, ['no commit after', 'patch apply'],
                self.series.export, 'one', self.path)

    def test_merge(self):
        self.tree.apply(self.base)
        series = self.git.line('rev-parse', 'HEAD')
        self.git.run('reset', '-q', '--hard', '1.0.0')
        self.series.commit(self.path, {'README.rst': 'Mine'}, 'Mine')
        self.git.run('merge', '-q', '-m', 'merged', series)
        self.assertRefused(
            exceptions.BadInput, ['merges', 'git rebase'],
            self.series.export, 'one', self.path)

    def test_not_on_the_release(self):
        clone = self.series.top / 'clone-one'
        text = (clone / 'nova/compute/manager.py').read_text()
        self.series.commit(
            clone, {'nova/compute/manager.py': text + 'a = 1\n'}, 'Mine')
        own = checkout.Checkout(clone, git.isolated(clone))
        since = own.head()
        with self.unchanged():
            self.series.commit(
                clone, {'nova/compute/manager.py': text + 'a = 2\n'},
                samples.message('Change it'))
            self.assertRefused(
                stack.DoesNotApply, 'manager.py', export.export, self.base,
                self.git, own, since, self.series.root)


class TipTest(samples.PatchedTestCase):
    """The tree is the tip of the release's branch, with the series on it."""

    MANAGER = 'nova/compute/manager.py'

    def setUp(self):
        super().setUp()
        # Near a line of the series, and far from it.
        self._write(self.MANAGER, 'line_15 = 15', 'line_15 = 150')
        self._write(self.MANAGER, 'line_2 = 2\n', 'line_2 = 200\n')
        self.series.commit(self.path, {}, 'Backport')
        self.since = self.tree.head()
        self.tree.apply(self.base)
        self.before = samples.snapshot(self.series.root)

    def _write(self, name, old, new):
        self.edit(self.path / name, old, new)

    def _export(self):
        return export.export(
            self.base, self.git, self.tree, self.since, self.series.root)

    def _amend(self):
        self.git.run('commit', '-q', '--all', '--amend', '--no-edit')

    def _files(self):
        return {patch.name: patch.read_bytes()
                for patch in self.base.path.glob('*.patch')}

    def test_nothing_changed(self):
        self.assertEqual([], self._export())
        self.assertEqual(self.before, samples.snapshot(self.series.root))

    def test_one_word(self):
        self._write('nova/tests/unit/compute/test_reimage.py', 'unittest',
                    'testtools')
        self._amend()
        self.assertEqual(
            ['one/0003-api-add-microversion-2.11.patch', 'one/base.conf'],
            self._export())
        base = self.series.load('one')
        self.assertEqual(
            [verify.Result('all', 3, base.tree, '')],
            list(verify.verify(base, self.path)))

    def test_lines_of_the_branch_do_not_come_along(self):
        self._write(self.MANAGER, 'line_30 = 30', 'line_30 = 31')
        self._amend()
        self._export()
        added = [line for content in self._files().values()
                 for line in content.decode().splitlines()
                 if line.startswith(('+line_', '-line_'))]
        self.assertEqual({'-line_20 = 20', '+line_20 = 21',
                          '-line_30 = 30', '+line_30 = 31'}, set(added))

    def test_conflict(self):
        self._write(self.MANAGER, 'line_2 = 200', 'line_2 = 201')
        self._amend()
        self.assertRefused(
            exceptions.BadInput, [self.MANAGER, 'Nothing was written',
                                  'patch apply one'], self._export)
        self.assertEqual(self.before, samples.snapshot(self.series.root))

    def test_patch_that_the_release_takes(self):
        self.series.commit(
            self.path, {'nova/new.py': 'x = 1\n'}, samples.message('Add it'))
        self.assertEqual(
            ['one/0004-add-it.patch', 'one/base.conf', 'one/series'],
            self._export())


class TwoBasesTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.series.add_patched('one')
        self.series.add('two', '2.0.0')
        self.two, _git = self.series.clone('two')

    def test_a_change_in_between_moves_both(self):
        self.series.commit(self.two, {'nova/compute/reimage.py': 'V = 2\n'},
                           samples.message('Add a module'))
        self.series.commit(self.two, {'README.rst': 'Two\n'},
                           samples.message('Only here'))
        self.series.commit(
            self.two, {'nova/api/openstack/api_version_request.py':
                       "_MAX_API_VERSION = '2.11'\n"},
            samples.message('api: Add microversion 2.11'))
        self.series.export('two', self.two)
        # What only "one" has comes first, names being sorted.
        self.assertEqual(
            ('0001-add-a-module.patch', '0002-compute-change-a-line.patch',
             '0004-api-add-microversion-2.11.patch'), self.series.names('one'))
        self.assertEqual(
            ('0001-add-a-module.patch', '0003-only-here.patch',
             '0004-api-add-microversion-2.11.patch'), self.series.names('two'))
        self.assertEqual(
            sorted(self.series.names('one')),
            sorted(path.name for path in
                   (self.series.root / 'one').glob('*.patch')))

    def test_reasons_move_along(self):
        self.series.commit(self.two, {'nova/compute/reimage.py': 'V = 2\n'},
                           samples.message('Add a module'))
        self.series.export('two', self.two)
        with open(self.series.root / 'two/series', 'a') as file:
            file.write('# lacks 0003-api-add-microversion-2.11.patch: why\n')
        self.series.commit(self.two, {'README.rst': 'Two\n'},
                           samples.message('Only here'))
        self.series.export('two', self.two)
        self.assertEqual(
            '0001-add-a-module.patch\n'
            '# lacks 0003-api-add-microversion-2.11.patch: why\n'
            '0004-only-here.patch\n',
            (self.series.root / 'two/series').read_text())

    def test_another_order(self):
        self.series.commit(self.two, {'README.rst': 'Two\n'},
                           samples.message('compute: Change a line'))
        self.series.commit(self.two, {'nova/compute/reimage.py': 'V = 2\n'},
                           samples.message('Add a module'))
        with self.unchanged():
            self.assertRefused(
                exceptions.BadInput, ['another order', '--alone'],
                self.series.export, 'two', self.two)

    def test_another_order_everywhere(self):
        """The first base is exported alone, the next one repairs both."""
        self.test_another_order()
        self.series.export('two', self.two, alone=True)
        self.assertEqual(
            ('0001-compute-change-a-line.patch', '0002-add-a-module.patch'),
            self.series.names('two'))
        one = self.series.top / 'again'
        samples.cloned(self.series.top / 'clone-one', one).run(
            'reset', '-q', '--hard', '1.0.0')
        for text, subject in (('One', 'compute: Change a line'),
                              ('New', 'Only one'), ('x', 'Add a module')):
            self.series.commit(one, {'README.rst': text},
                               samples.message(subject))
        self.series.export('one', one)
        self.assertEqual(
            ('0001-compute-change-a-line.patch', '0002-only-one.patch',
             '0003-add-a-module.patch'), self.series.names('one'))
        self.assertEqual(
            ('0001-compute-change-a-line.patch', '0003-add-a-module.patch'),
            self.series.names('two'))

    def test_change_id_twice(self):
        for text in 'one', 'two':
            self.series.commit(
                self.two, {'README.rst': text},
                samples.message('Change ' + text, 'I' + '1' * 40))
        self.assertRefused(
            exceptions.BadInput, ['twice', 'I' + '1' * 40],
            self.series.export, 'two', self.two)


class SlugTest(samples.TestCase):

    def test_slug(self):
        for subject, slug in (
                ("Hold Cinder's rules", 'hold-cinders-rules'),
                ('api: Add 2.105 (ro/rw)', 'api-add-2.105-ro-rw'),
                ('A sentence.', 'a-sentence'),
                ('../../etc/passwd', 'etc-passwd'),
                ('…', 'patch')):
            self.assertEqual(slug, numbering.slug(subject))
        long = numbering.slug('word ' * 40)
        self.assertLessEqual(len(long), 52)
        self.assertTrue(long.endswith('-word'))
