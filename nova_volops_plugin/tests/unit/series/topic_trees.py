# SPDX-License-Identifier: Apache-2.0

"""What every kind of tree does with topics."""

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import combination
from nova_volops_plugin.tests.unit.series import samples
from nova_volops_plugin.tests.unit.series import topic_samples


class TestCase(samples.TestCase):
    """With a base "one", and a tree of it that a subclass makes."""

    def setUp(self):
        super().setUp()
        self.base = self.series.add_topics('one')
        self.fetched, _git = self.series.fetch('one')
        self.path = self.series.top / 'tree'
        self.tree = self._make()

    def _make(self):
        """Make the tree at ``path``; return what handles it."""
        raise NotImplementedError

    def _state(self):
        """Return what is the same where the tree is."""
        raise NotImplementedError

    def _wanted(self, subjects):
        """Return the files of the tree after some patches."""
        return topic_samples.files(subjects)

    def _apply(self, *names):
        self.tree.apply(self.base, list(names) or None, lambda: self.fetched)

    def _revert(self, *names):
        self.tree.revert(self.base, list(names) or None, lambda: self.fetched)

    def assertHas(self, *names):
        subjects = topic_samples.of(names)
        status = self.tree.status(self.base)
        self.assertEqual((names, (), len(subjects), True), (
            status.topics, status.partly, status.applied, status.clean))
        wanted = self._wanted(subjects)
        found = samples.snapshot(self.path)
        for path in {*wanted, *self._wanted(topic_samples.TOPICS)}:
            self.assertEqual(
                wanted.get(path), found[path].decode()
                if path in found else None, path)

    def test_every_combination(self):
        before = self._state()
        for names in combination.Series(self.base).topics.combinations():
            self._apply(*names)
            self.assertHas(*names)
            self._revert()
            self.assertHas()
            self.assertEqual(before, self._state())

    def test_adding_is_both_at_once(self):
        before = self._state()
        self._apply('shelved', 'rebuild')
        both = self._state()
        self.assertHas('fixes', 'shelved', 'rebuild')
        self._revert()
        self._apply('rebuild')
        self.assertHas('rebuild')
        self._apply('shelved')
        self.assertEqual(both, self._state())
        self._apply()
        self.assertHas('fixes', 'attach-mode', 'shelved', 'rebuild')
        self.assertEqual('patched', self.tree.status(self.base).state)
        self._revert('attach-mode')
        self.assertEqual(both, self._state())
        self._revert('fixes', 'shelved')
        self.assertHas('rebuild')
        self._revert('rebuild')
        self.assertHas()
        self.assertEqual(before, self._state())

    def test_refused(self):
        self._apply('shelved')
        before = self._state()
        for words, function, names in (
                ("no topic 'x'", self._apply, ['x']),
                ('has shelved of one already', self._apply, ['shelved']),
                ('has fixes of one already', self._apply, ['fixes']),
                ('has shelved, which cannot be without fixes', self._revert,
                 ['fixes']),
                ('does not have rebuild of one; it has fixes, shelved',
                 self._revert, ['rebuild']),
                ("no topic 'x'", self._revert, ['x'])):
            self.assertRefused(
                exceptions.BadInput, words, function, *names)
            self.assertEqual(before, self._state())
            self.assertHas('fixes', 'shelved')
