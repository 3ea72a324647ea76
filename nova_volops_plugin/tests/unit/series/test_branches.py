# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import branches
from nova_volops_plugin.series import checkout
from nova_volops_plugin.tests.unit.series import samples
from nova_volops_plugin.tests.unit.series import topic_samples

_TOPICS = ('fixes', 'attach-mode', 'shelved', 'rebuild')
_COUNTS = (1, 3, 3, 1)


class BranchesTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_topics('one')
        self.fetched, _git = self.series.fetch('one')
        self.path = self.series.top / 'checkout'
        self.git = samples.cloned(self.fetched, self.path)
        self.git.run('branch', '-q', '-m', 'mine')
        self.git.run('config', 'user.name', 'Me')
        self.git.run('config', 'user.email', 'me@example.org')
        self.tree = checkout.Checkout(self.path, self.git)
        self.start = self.tree.head()

    def _make(self):
        head, files = self.tree.head(), samples.snapshot(self.path)
        status = self.git.line('status', '--porcelain')
        made = branches.make(self.tree, self.base, lambda: self.fetched)
        self.assertEqual(
            (head, files, status, 'refs/heads/mine'),
            (self.tree.head(), samples.snapshot(self.path),
             self.git.line('status', '--porcelain'),
             self.git.line('symbolic-ref', 'HEAD')))
        return made

    def assertBranches(self, changes, made):
        self.assertEqual(
            [branches.Branch(name, 'nova-volops/' + name, count, change)
             for name, count, change in zip(_TOPICS, _COUNTS, changes)], made)

    def _ids(self):
        return dict(line.split() for line in self.git.line(
            'for-each-ref', '--format=%(refname:short) %(objectname)',
            'refs/heads/nova-volops/').splitlines())

    def _log(self, name, form='%s'):
        return self.git.line(
            'log', '--reverse', '--format=' + form,
            self.start + '..nova-volops/' + name).splitlines()

    def test_of_the_series(self):
        self.assertBranches(['made'] * 4, self._make())
        for name in _TOPICS:
            names = ['fixes', name] if name in (
                'attach-mode', 'shelved') else [name]
            self.assertEqual(topic_samples.of(names), self._log(name))
            for path, text in topic_samples.files(
                    topic_samples.of(names)).items():
                self.assertEqual(text, self.git.run(
                    'show', 'nova-volops/%s:%s' % (name, path)).decode())
        # The commit that topics share is one.
        self.assertEqual(
            self._log('fixes', '%H')[0], self._log('shelved', '%H')[0])
        self.assertEqual(
            ['A Developer <a@example.org> Me <me@example.org>'],
            self._log('fixes', '%an <%ae> %cn <%ce>'))
        ids = self._ids()
        self.assertBranches(['unchanged'] * 4, self._make())
        self.assertEqual(ids, self._ids())

    def test_of_the_checkout(self):
        self.tree.apply(self.base)
        self._make()
        ids = self._ids()
        self.tree.revert(self.base)
        # The series' commits and the checkout's give the same branches.
        self.assertBranches(['unchanged'] * 4, self._make())
        self.tree.apply(self.base)
        self._amend('nova/compute/volume_swap.py',
                    'def swap():\n    return 2\n')
        self.assertBranches(
            ['unchanged', 'unchanged', 'updated', 'unchanged'],
            self._make())
        self.assertIn('return 2', self.git.line(
            'show', 'nova-volops/shelved:nova/compute/volume_swap.py'))
        self.assertNotEqual(ids['nova-volops/shelved'],
                            self._ids()['nova-volops/shelved'])

    def _amend(self, path, text):
        """Change a file in the third commit from the top."""
        above = self.git.line('rev-list', '--reverse', '-n', '2', 'HEAD')
        self.git.run('reset', '-q', '--hard', 'HEAD~2')
        (self.path / path).write_text(text)
        self.git.run('commit', '-q', '-a', '--amend', '--no-edit')
        self.git.run('cherry-pick', *above.split())

    def test_new_commit(self):
        """It is of the topic of the commit before it, as in an export."""
        self.tree.apply(self.base, ['rebuild'], lambda: self.fetched)
        self.series.commit(self.path, {'x': 'x'}, samples.message('More'))
        made = branches.make(self.tree, self.base, None)
        self.assertEqual([('rebuild', 2)], [
            (each.topic, each.commits) for each in made])
        self.assertEqual(['Rebuild', 'More'], self._log('rebuild'))

    def test_on_another_commit(self):
        self.series.commit(self.path, {'README.rst': 'Tip\n'}, 'Tip')
        self.start = self.tree.head()
        self.assertBranches(['made'] * 4, self._make())
        self.assertEqual(['Rebuild'], self._log('rebuild'))

    def test_messages(self):
        self.series.commit(
            self.path, {'x': 'x'}, 'Mine\n\nSpec: said here.\n\nCloses-Bug: '
            '#1\nSpec: volume-ops-when-shelved\nUpstream-Status: Backport [a]'
            '\nChange-Id: I%s\nSigned-off-by: %s\n' % (
                '1' * 40, samples.AUTHOR))
        self.tree.apply(self.base, ['rebuild'], lambda: self.fetched)
        message = self._messages()['Rebuild']
        self.assertEqual(
            samples.message('Rebuild').replace(
                'Upstream-Status: Pending\n', ''), message)
        self.assertEqual(
            'Mine\n\nSpec: said here.\n\nCloses-Bug: #1\nImplements: '
            'blueprint volume-ops-when-shelved\nChange-Id: I%s\n'
            'Signed-off-by: %s\n' % ('1' * 40, samples.AUTHOR),
            branches._message(self.git.run(
                'log', '-1', '--format=%B', 'HEAD^').decode()))

    def _messages(self):
        self._make()
        return {text.splitlines()[0]: text for text in (
            self.git.run('log', '-1', '--format=%B', commit).decode(
            ).rstrip('\n') + '\n' for commit in self._log('rebuild', '%H'))}

    def test_refused(self):
        def refused(words, error=checkout.Refused):
            ids = self._ids()
            self.assertRefused(error, words, branches.make, self.tree,
                               self.base, lambda: self.fetched)
            self.assertEqual(ids, self._ids())

        self._make()
        self.git.run('checkout', '-q', 'nova-volops/shelved')
        refused('nova-volops/shelved is checked out')
        self.series.commit(self.path, {'x': 'x'}, 'Mine')
        self.git.run('checkout', '-q', 'mine')
        refused(['nova-volops/shelved', 'git cherry-pick', 'git branch -D'])
        self.git.run('branch', '-q', '-m', 'nova-volops/shelved', 'kept')
        self.assertBranches(
            ['unchanged', 'unchanged', 'made', 'unchanged'], self._make())
        self.git.run('config', 'user.name', '')
        refused('git config user.name', exceptions.BadInput)

    def test_names_are_taken(self):
        self.git.run('branch', 'nova-volops')
        self.assertRefused(
            checkout.Refused, 'git branch -m nova-volops', branches.make,
            self.tree, self.base, lambda: self.fetched)
        self.git.run('branch', '-m', 'nova-volops', 'nova-volops/fixes')
        self.assertRefused(
            checkout.Refused, 'nova-volops/fixes', branches.make, self.tree,
            self.base, lambda: self.fetched)

    def test_no_topics(self):
        (self.base.path / 'series').write_text('')
        self.assertRefused(
            exceptions.BadInput, 'not divided into topics', branches.make,
            self.tree, self.base, lambda: self.fetched)
