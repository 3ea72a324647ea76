# SPDX-License-Identifier: Apache-2.0

import testtools

from nova_volops_plugin.bases import git
from nova_volops_plugin.series import merge

BASE = b''.join(b'line %d\n' % number for number in range(9))


class MergeTest(testtools.TestCase):

    def _merge(self, base, ours, theirs, *rules):
        return merge.merge(git.isolated(None), base, ours, theirs, rules)

    def test_far_apart(self):
        ours = BASE.replace(b'line 1', b'our 1')
        theirs = BASE.replace(b'line 7', b'their 7')
        self.assertEqual((ours.replace(b'line 7', b'their 7'), 0),
                         self._merge(BASE, ours, theirs))

    def test_conflict(self):
        self.assertEqual(
            (b'<<<<<<< ours\nb\n||||||| base\na\n=======\nc\n'
             b'>>>>>>> theirs\n', 1), self._merge(b'a\n', b'b\n', b'c\n'))

    def test_conflict_without_the_last_newline(self):
        text, left = self._merge(b'a', b'b', b'c')
        self.assertEqual(1, left)
        self.assertIn(b'<<<<<<< ours\nb', text)

    def test_headings_are_no_marks(self):
        """As a short heading of a document is underlined."""
        seen = []
        versions = b'a\n=======\na\n', b'b\n', b'c\n'
        self._merge(*versions, lambda *each: seen.append(each))
        self.assertEqual([versions], seen)

    def test_lines_that_end_with_a_return(self):
        text, left = self._merge(b'a\r\n', b'b\r\n', b'c\r\n')
        self.assertEqual(1, left)
        self.assertIn(b'<<<<<<< ours\n', text)

    def test_binary(self):
        self.assertEqual(
            (b'\0b', 1), self._merge(b'\0a', b'\0b', b'\0c'))

    def test_rules(self):
        self.assertEqual(
            (b'd\n', 0), self._merge(
                b'a\n', b'b\n', b'c\n', lambda *_: None, lambda *_: b'd\n'))


class NeighboursTest(testtools.TestCase):

    def test_merged(self):
        for base, ours, theirs, merged in (
                ('ab', 'xb', 'ay', 'xy'),
                ('ab', 'b', 'ay', 'y'),
                ('ab', 'axb', 'ay', 'axy'),
                ('ab', 'abx', 'ay', 'ayx'),
                ('ab', 'xb', 'xb', 'xb'),
                ('abc', 'xbc', 'xby', 'xby')):
            self.assertEqual(self._lines(merged), merge.neighbours(
                *map(self._lines, (base, ours, theirs))), (ours, theirs))

    def test_not_merged(self):
        for base, ours, theirs in (
                ('ab', 'xb', 'yb'), ('ab', 'axb', 'ayb'), ('', 'x', 'y'),
                ('abc', 'ac', 'axyc')):
            self.assertIsNone(merge.neighbours(
                *map(self._lines, (base, ours, theirs))), (ours, theirs))

    def _lines(self, letters):
        return ''.join(letter + '\n' for letter in letters).encode()


class GreaterVersionTest(testtools.TestCase):

    def test_greater(self):
        for ours, theirs, merged in (
                (b'2.9', b'2.10', b'2.10'), (b'2.11', b'2.10', b'2.11'),
                (b'3.1', b'2.10', b'3.1')):
            self.assertEqual(
                b"v = '%s'\n" % merged, merge.greater_version(
                    b"v = '2.8'\n", *(b"v = '%s'\n" % each
                                      for each in (ours, theirs))))

    def test_something_else_differs(self):
        for ours, theirs in (
                (b'v = 2.2', b'w = 2.3'), (b'v = 2.2', b'v = 2.3 2.4'),
                (b'v = ', b'v = 2.3'), (b'v = 1.2.3', b'v = 1.2.4')):
            self.assertIsNone(merge.greater_version(b'v = 2.1', ours, theirs))
