# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.bases import git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import lint
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import verify
from nova_volops_plugin.tests.unit.series import samples
from nova_volops_plugin.tests.unit.series import topic_samples
from nova_volops_plugin.tests.unit.series import topic_trees


class CombinationTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_topics('one')
        self.path, self.git = self.series.fetch('one')

    def _series(self):
        return combination.Series(
            self.series.load('one'), lambda: self.path)

    def test_every_combination(self):
        series = self._series()
        combinations = list(series.topics.combinations())
        self.assertEqual(9, len(combinations))
        for names in combinations:
            patches = series.patches(names)
            self.assertEqual(
                topic_samples.of(names), [each.subject for each in patches])
            tree = stack.tree(self.git, self.base.base_tree, patches)
            for path, text in topic_samples.files(
                    topic_samples.of(names)).items():
                self.assertEqual(text, self.git.run(
                    'show', '%s:%s' % (tree, path)).decode(), names)
            if series.recorded(names):
                self.assertEqual(series.recorded(names), tree)

    def test_names_are_kept(self):
        """Where nothing before them is left out, so is each byte."""
        series = self._series()
        patches = series.patches(('fixes', 'shelved'))
        self.assertEqual(
            [series.all[place].name for place in (0, 3, 4)],
            [each.name for each in patches])
        self.assertIs(series.all[0], patches[0])
        self.assertEqual(series.all[:3], series.patches(
            ('fixes', 'attach-mode')))

    def test_recorded(self):
        series = self._series()
        self.assertEqual(
            {'fixes', 'attach-mode', 'shelved', 'rebuild'},
            set(self.base.topics))
        self.assertEqual(self.base.tree, series.recorded(series.names()))
        self.assertIsNone(series.recorded(('fixes', 'rebuild')))

    def test_conflict(self):
        clone = self.series.top / 'clone-one'
        files = topic_samples.files(topic_samples.TOPICS)
        text = files[topic_samples.MANAGER]
        self.series.commit(
            clone, {topic_samples.MANAGER: text.replace('swap()', 'swop()')},
            samples.message('Swap otherwise'))
        with self.unchanged():
            self.assertRefused(
                combination.Conflict,
                ['without fixes, attach-mode, shelved', 'of topic rebuild',
                 'Swap-otherwise.patch', 'conflict in nova/compute/manager.py',
                 'Nothing was changed', 'Keep the hunks of the topics apart'],
                self.series.export, 'one', clone)

    def test_verify(self):
        def found(*args):
            return [(each.topics, each.patches, each.problem)
                    for each in verify.verify(
                        self.series.load('one'), self.path, *args)]

        self.assertEqual(
            [('all', 6, ''), ('fixes', 1, ''), ('attach-mode', 3, ''),
             ('shelved', 3, ''), ('rebuild', 1, '')], found())
        self.assertEqual([('shelved', 3, '')], found(['shelved']))
        self.assertEqual(9, len(found(None, True)))
        self.assertEqual(
            [('fixes, shelved', 3, ''), ('fixes, attach-mode, shelved', 5, ''),
             ('fixes, shelved, rebuild', 4, ''),
             ('fixes, attach-mode, shelved, rebuild', 6, '')],
            found(['shelved'], True))
        conf = self.base.path / 'base.conf'
        conf.write_text(conf.read_text().replace(
            'shelved = %s' % self.base.topics['shelved'],
            'shelved = ' + '1' * 40))
        wrong = [each for each in found() if each[2]]
        self.assertEqual(['shelved'], [each[0] for each in wrong])
        self.assertIn('1' * 40, wrong[0][2])

    def test_verify_name_of_another_topic(self):
        """It merges, and cannot run without the other topic."""
        clone = self.series.top / 'clone-one'
        self.series.commit(
            clone, {'nova/compute/reimage.py':
                    'from nova.compute import volume_swap\n\n\n'
                    'def start():\n    return volume_swap.SWAP\n'},
            samples.message('Rebuild by a swap'))
        self.series.export('one', clone)
        found = {each.topics: each.problem for each in verify.verify(
            self.series.load('one'), self.path, ['rebuild'], True)}
        self.assertIn('reimage.py:5: nothing here is called SWAP',
                      found['rebuild'])
        self.assertEqual('', found['fixes, shelved, rebuild'])


class ExportTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_topics('one')
        self.clone = self.series.top / 'clone-one'
        self.git = git.isolated(self.clone)

    def _topics(self, name='one'):
        return series_file.SeriesFile.load(
            self.series.root / name / 'series').topics

    def test_unchanged(self):
        self.assertEqual([], self.series.export('one', self.clone))
        self.assertEqual([], lint.lint(self.series.root))

    def test_new_commit(self):
        self.series.commit(
            self.clone, {'README.rst': 'New\n'}, samples.message('New'))
        self.series.export('one', self.clone)
        self.assertEqual(
            ('0006-rebuild.patch', '0007-new.patch'),
            self._topics()['rebuild'].patches)
        self.assertEqual([], lint.lint(self.series.root))

    def _rebuild(self, count, *subjects):
        """Drop the last commits, and make others."""
        self.git.run('reset', '-q', '--hard', 'HEAD~%d' % count)
        for subject in subjects:
            self.series.commit(
                self.clone, {'doc/%s.rst' % numbering.slug(subject): 'x\n'},
                samples.message(subject))

    def test_moved_commit(self):
        """A commit of attach-mode goes between two of rebuild."""
        self._rebuild(5, 'Attach in a mode', 'api: Add microversion 2.11',
                      'Rebuild', 'Old', 'New')
        self.series.export('one', self.clone)
        self.assertEqual(3, len(self._topics()['rebuild'].patches))
        self._rebuild(4, 'Rebuild', 'Old', 'api: Add microversion 2.11', 'New')
        self.series.export('one', self.clone)
        self.assertEqual(
            ('0003-rebuild.patch', '0004-old.patch',
             '0005-api-add-microversion-2.11.patch', '0006-new.patch'),
            self._topics()['rebuild'].patches)
        # One that has no patch any more stays known.
        self.assertEqual((), self._topics()['shelved'].patches)
        self.assertEqual(
            {'fixes', 'attach-mode', 'rebuild'},
            set(self.series.load('one').topics))
        self.assertEqual([], [each for each in lint.lint(self.series.root)
                              if each.check == 'topics'])

    def test_wrong_order(self):
        before = samples.snapshot(self.series.root)
        for words, subjects in (
                ('topic attach-mode needs fixes',
                 ('Attach in a mode', 'Fix a line')),
                ('topic shelved are not in a row',
                 ('Fix a line', 'Swap volumes of shelved servers', 'Rebuild',
                  'api: Add microversion 2.12', 'Attach in a mode'))):
            self._rebuild(
                int(self.git.line('rev-list', '--count', 'HEAD')) - 1,
                *subjects)
            self.assertRefused(exceptions.BadInput, words,
                               self.series.export, 'one', self.clone)
            self.assertEqual(before, samples.snapshot(self.series.root))


class LintTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        for name in 'one', 'two':
            self.base = self.series.add_topics(name)

    def _found(self):
        return [(each.file, each.message) for each in lint.lint(
            self.series.root) if each.check == 'topics']

    def test_other_needs(self):
        self.edit('two/series',
                  'shelved: needs fixes', 'shelved: needs fixes attach-mode')
        (file, message), = self._found()
        self.assertEqual('two/series', file)
        self.assertIn('not those of one', message)

    def test_other_topic_of_a_change(self):
        self.series.head('two', {
            **{slug: line for slug, line in topic_samples.HEADINGS.items()
               if 'shelved' not in line},
            'api-add-microversion-2.11': '# topic shelved: needs fixes'})
        found = self._found()
        self.assertEqual(['two/series'], [file for file, _text in found])
        self.assertIn('is of topic shelved here and of attach-mode',
                      found[0][1])

    def test_recorded(self):
        conf = self.series.root / 'two/base.conf'
        conf.write_text(conf.read_text().replace('shelved = 2.10', 'X')
                        .replace('\nshelved =', '\nother =')
                        .replace('X', 'shelved = 2.10'))
        (file, message), = self._found()
        self.assertEqual('two/base.conf', file)
        self.assertIn('names fixes, attach-mode, other, rebuild', message)


class CheckoutTest(topic_trees.TestCase):
    """On the release; OnATipTest does the same on another commit."""

    tip = False

    def _make(self):
        self.git = samples.cloned(self.fetched, self.path)
        if self.tip:
            self.series.commit(self.path, {
                'README.rst': 'Tip\n', **self._wanted(())}, 'Tip')
        return checkout.Checkout(self.path, self.git)

    def _state(self):
        return self.tree.head()

    def _wanted(self, subjects):
        files = super()._wanted(subjects)
        if self.tip:
            files[topic_samples.MANAGER] = files[
                topic_samples.MANAGER].replace('line_5 = 5', 'line_5 = 6')
        return files

    def test_commit_on_top(self):
        self._apply('fixes')
        self.series.commit(self.path, {'x': 'x'}, 'Mine')
        head = self.tree.head()
        self.assertEqual('changed', self.tree.status(
            self.base, ['fixes']).state)
        self.assertRefused(
            checkout.Refused, 'git rebase --onto', self._apply, 'rebuild')
        self.assertRefused(
            checkout.Refused, 'git rebase --onto', self._revert, 'fixes')
        self.assertEqual(head, self.tree.head())

    def test_changed_commit(self):
        """What a user has amended is not lost."""
        self._apply('fixes')
        (self.path / 'README.rst').write_text('Mine\n')
        self.git.run('commit', '-q', '-a', '--amend', '--no-edit')
        head = self.tree.head()
        self.assertRefused(
            checkout.Refused, 'were changed', self._apply, 'rebuild')
        self.assertEqual(head, self.tree.head())

    def test_part_of_a_topic(self):
        self._apply('attach-mode')
        self.git.run('reset', '-q', '--hard', 'HEAD^')
        status = self.tree.status(self.base)
        self.assertEqual((('fixes',), ('attach-mode',), 'partly'), (
            status.topics, status.partly, status.state))
        self.assertRefused(
            checkout.Refused, '2 of the 6', self._apply, 'rebuild')

    def test_git_am(self):
        """Topics are told by Change-Ids, not by who applied them."""
        self.git.run(
            'am', '-q', *sorted(self.base.path.glob('*.patch'))[:3])
        self.assertHas('fixes', 'attach-mode')
        self._apply('rebuild')
        self.assertHas('fixes', 'attach-mode', 'rebuild')

    def test_conflicting_tip(self):
        self.series.commit(self.path, {
            topic_samples.MANAGER: (
                self.path / topic_samples.MANAGER).read_text().replace(
                    'line_30', 'line_x')}, 'Mine')
        self._apply('shelved')
        head = self.tree.head()
        self.assertRefused(
            stack.DoesNotApply, '0006-rebuild.patch', self._apply, 'rebuild')
        self.assertEqual(head, self.tree.head())


class OnATipTest(CheckoutTest):

    tip = True
