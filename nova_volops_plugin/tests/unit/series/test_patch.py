# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import patch
from nova_volops_plugin.tests.unit.series import samples

_PATCH = """\
From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
From: A Developer <a@example.org>
Date: Thu, 1 Jan 2026 00:00:00 +0000
Subject: [PATCH] compute: Change a line that has a long subject and goes
 on here

Say why.

Upstream-Status: Pending
Signed-off-by: A Developer <a@example.org>

diff --git a/nova/a.py b/nova/a.py
index 1111111111111111111111111111111111111111..\
2222222222222222222222222222222222222222 100644
--- a/nova/a.py
+++ b/nova/a.py
@@ -10,3 +10,4 @@ class A:
 one
-two
+TWO
+more
 three
@@ -30,2 +31,2 @@
 x
-y
+z
diff --git a/nova/new.py b/nova/new.py
new file mode 100644
index 0000000000000000000000000000000000000000..\
3333333333333333333333333333333333333333
--- /dev/null
+++ b/nova/new.py
@@ -0,0 +1 @@
+--- a/not/a/header
"""


class PatchTest(samples.TestCase):

    def _load(self, text):
        path = self.series.top / '0001-x.patch'
        path.write_text(text)
        return patch.Patch(path)

    def _refused(self, old, new, words):
        self.assertIn(old, _PATCH)
        self.assertRefused(
            exceptions.BadInput, [words, '0001-x.patch'],
            self._load, _PATCH.replace(old, new))

    def test_message(self):
        loaded = self._load(_PATCH)
        self.assertEqual('A Developer <a@example.org>', loaded.author)
        self.assertEqual('compute: Change a line that has a long subject '
                         'and goes on here', loaded.subject)
        self.assertEqual('Pending', loaded.trailer('Upstream-Status'))
        self.assertIsNone(loaded.trailer('Change-Id'))

    def test_encoded_headers(self):
        loaded = self._load(_PATCH.replace(
            'A Developer <', '=?UTF-8?q?J=C3=B8rn=20L.=20D?= <', 1).replace(
            'compute: Change a line that has a long subject and goes\n on',
            '=?UTF-8?q?compute:=20Keep=20a=20=C3=B8=20in=20a=20line=20th?=\n'
            ' =?UTF-8?q?at=20is=20folded=20=E2=80=A6?='))
        self.assertEqual('Jørn L. D <a@example.org>', loaded.author)
        self.assertEqual('compute: Keep a ø in a line that is folded … here',
                         loaded.subject)

    def test_changes(self):
        first, second = self._load(_PATCH).changes
        self.assertEqual('nova/a.py', first.path)
        self.assertEqual((10, 30), first.hunks)
        self.assertEqual(['TWO', 'more', 'z'],
                         [text for line, text in first.added])
        self.assertFalse(first.creates)
        self.assertTrue(second.creates)
        self.assertEqual('--- a/not/a/header', second.added[0][1])

    def test_paths_outside(self):
        for path in ('../a.py', '/etc/passwd', 'nova/../../a', '.git/hooks/x',
                     'nova/.GIT/config', 'nova//a.py', './a.py'):
            self._refused('diff --git a/nova/a.py b/nova/a.py',
                          'diff --git a/%s b/%s' % (path, path),
                          'not a plain path')

    def test_two_names(self):
        self._refused('+++ b/nova/a.py', '+++ b/../../etc/x', 'it names')
        self._refused('b/nova/a.py\nindex', 'b/nova/c.py\nindex', 'renames')

    def test_links(self):
        self._refused('new file mode 100644', 'new file mode 120000',
                      'no plain file')
        self._refused('new file mode 100644', 'new file mode 160000',
                      'no plain file')

    def test_renames_and_binaries(self):
        self._refused('new file mode 100644', 'rename from nova/b.py',
                      'are refused')
        self._refused('--- /dev/null', 'GIT binary patch', 'are refused')

    def test_change_without_heading(self):
        self._refused('diff --git a/nova/new.py b/nova/new.py\n'
                      'new file mode 100644\nindex', 'Index:',
                      'without its "diff --git"')

    def test_truncated(self):
        self.assertRefused(
            exceptions.BadInput, 'truncated',
            self._load, _PATCH[:_PATCH.index(' three')])

    def test_empty(self):
        self.assertRefused(
            exceptions.BadInput, 'changes nothing', self._load, '')
        self.assertRefused(
            exceptions.BadInput, 'changes nothing', self._load,
            _PATCH[:_PATCH.index('diff --git')])

    def test_no_names_above_a_hunk(self):
        for line in ('--- a/nova/a.py\n', '+++ b/nova/a.py\n',
                     '--- a/nova/a.py\n+++ b/nova/a.py\n'):
            self._refused(line, '', 'a hunk needs the lines')

    def test_names_of_a_new_file(self):
        self._refused('--- /dev/null', '--- a/nova/new.py', 'it names')
        self._refused('--- a/nova/a.py', '--- /dev/null', 'it names')
