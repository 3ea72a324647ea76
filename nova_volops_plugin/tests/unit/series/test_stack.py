# SPDX-License-Identifier: Apache-2.0

import random

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import in_memory
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import stack
from nova_volops_plugin.tests.unit.series import samples

_MANAGER = 'nova/compute/manager.py'
_HEADER = 'From: A <a@b>\nDate: 1 Jan 2026 00:00:00 +0000\nSubject: x\n\n---\n'


class _TestCase(samples.PatchedTestCase):

    def setUp(self):
        super().setUp()
        self.released = self.git.line('rev-parse', 'HEAD')

    def _in_memory(self, patches, start='HEAD'):
        files = in_memory.Files(self.git, start, patches)
        for patch in patches:
            files.put(patch)
        return files


class CommitsTest(_TestCase):
    """They are those of git am, whether git is asked or not."""

    def _am(self):
        author, email = samples.AUTHOR[:-1].split(' <')
        clone = samples.cloned(self.path, self.series.top / 'am')
        clone.using(
            GIT_COMMITTER_NAME=author, GIT_COMMITTER_EMAIL=email).run(
                'am', '-q', '--committer-date-is-author-date',
                *sorted(self.base.path.glob('*.patch')))
        return clone.line(
            'rev-list', '--reverse', '-n', '3', 'HEAD').splitlines()

    def _made(self):
        return stack.commits(
            self.git, self.git.line('rev-parse', 'HEAD'),
            series_patch.load(self.base))

    def test_at_the_line(self):
        self._in_memory(series_patch.load(self.base))
        self.assertEqual(self._am(), self._made())

    def test_lower_down(self):
        text = (self.path / _MANAGER).read_text()
        self.series.commit(self.path, {_MANAGER: '\n\n' + text}, 'Mine')
        self.assertRaises(in_memory.Unsure, self._in_memory,
                          series_patch.load(self.base))
        self.assertEqual(self._am(), self._made())

    def test_header(self):
        """What git does with dates, names and subjects."""
        for old, new in (
                ('Thu, 1 Jan 2026 00:00:01 +0000',
                 'Wed, 31 Dec 2025 20:30:01 -0330'),
                (' A Developer <', ' "A. Developer, Jr." <'),
                (' A Developer <', ' =?UTF-8?q?J=C3=B8rn=20L.=20D?= <'),
                ('] Add a module', '] Add a module\n that is folded')):
            path = self.base.path / '0001-add-a-module.patch'
            whole = path.read_text()
            self.assertIn(old, whole)
            path.write_text(whole.replace(old, new))
            patches = series_patch.load(self.base)[:1]
            made, = stack.commits(self.git, self.released, patches)
            with stack.index(self.git, self.released) as index:
                stack.put(index, patches[0])
                tree = index.line('write-tree')
            info = self.git.run(
                'mailinfo', self.series.top / 'body',
                self.series.top / 'diff', stdin=path.read_bytes()).decode()
            fields = dict(
                line.split(': ', 1) for line in info.splitlines() if line)
            body = (self.series.top / 'body').read_text().rstrip('\n')
            self.assertEqual(
                self.git.using(**{
                    'GIT_%s_%s' % (role, name.upper()): fields[field]
                    for role in ('AUTHOR', 'COMMITTER')
                    for name, field in (('name', 'Author'),
                                        ('email', 'Email'),
                                        ('date', 'Date'))}).run(
                    'commit-tree', tree, '-p', self.released, stdin=(
                        '%s\n\n%s\n' % (fields['Subject'], body)).encode()
                ).decode().strip(), made)
            path.write_text(whole)

    def test_no_reference_is_left(self):
        before = self.git.line('for-each-ref')
        self._made()
        self.assertEqual(before, self.git.line('for-each-ref'))

    def test_header_is_missing(self):
        path = self.base.path / '0001-add-a-module.patch'
        whole = path.read_text()
        for field, name in (('From: ', 'author'), ('Date: ', 'date'),
                            ('Subject: ', 'subject')):
            path.write_text(whole.replace('\n' + field, '\nX-%s' % field))
            self.assertRefused(
                exceptions.BadInput, ['no %s in its header' % name, path.name],
                self._made)


class InMemoryTest(_TestCase):
    """What it takes git takes, and makes the same of it."""

    def _git_says(self, patch):
        with stack.index(self.git, self.released) as index:
            try:
                stack.put(index, patch)
            except stack.DoesNotApply:
                return None
            return index.line('write-tree')

    def test_spoilt_patches(self):
        source = random.Random(1)
        taken = refused = 0
        for text in self._patches():
            for _ in range(15):
                lines = text.split('\n')
                for _ in range(source.randint(0, 2)):
                    self._spoil(lines, source)
                path = self.series.top / '0001-x.patch'
                path.write_text('\n'.join(lines))
                try:
                    patch = series_patch.Patch(path)
                except exceptions.BadInput:
                    continue
                try:
                    self._in_memory([patch], self.released)
                except in_memory.Unsure:
                    refused += 1
                    continue
                taken += 1
                made, = stack.commits(self.git, self.released, [patch])
                self.assertEqual(
                    self._git_says(patch),
                    self.git.line('rev-parse', made + '^{tree}'),
                    path.read_text())
        self.assertGreater(taken, 15)
        self.assertGreater(refused, 15)

    def _spoil(self, lines, source):
        start = lines.index('') + 1
        number = source.randrange(start, len(lines))
        choice = source.randrange(5)
        if choice == 0:
            del lines[number]
        elif choice == 1:
            lines.insert(number, source.choice(lines[start:]))
        elif choice == 2:
            lines[number] = source.choice((' ', '+', '-')) + lines[number][1:]
        else:
            for place, line in enumerate(lines):
                if line.startswith('@@') and source.random() < 0.5:
                    lines[place] = ''.join(
                        source.choice('0123') if sign.isdigit() and
                        source.random() < 0.3 else sign for sign in line)

    def _patches(self):
        """Yield patches of every kind."""
        text = (self.path / _MANAGER).read_text()
        for files in (
                {_MANAGER: text.replace('line_0 = 0\n', '').replace(
                    'line_20', 'x\nline_20').replace('line_39 = 39\n', 'y\n')},
                {_MANAGER: text.removesuffix('\n')},
                {_MANAGER: text + 'z'},
                {_MANAGER: None, 'nova/new.py': 'x = 1\ny = 2\n'},
                {'nova/empty.py': '', 'nova/end.py': 'no end'}):
            self.series.commit(self.path, files, samples.message('Change'))
            yield self.git.run('format-patch', '-1', '--stdout').decode()
            self.git.run('reset', '-q', '--hard', 'HEAD^')
        (self.path / _MANAGER).chmod(0o755)
        self.series.commit(self.path, {'README.rst': 'x\n'}, 'Change')
        yield self.git.run('format-patch', '-1', '--stdout').decode()

    def test_what_git_does_not_take(self):
        lines = [' line_%d = %d\n' % (each, each) for each in range(40)]
        for hunk in (
                # It changes nothing.
                ['@@ -1,3 +1,3 @@\n', *lines[:3]],
                # One at the first line is for the beginning only.
                ['@@ -1,2 +3,3 @@\n', *lines[2:4], '+x\n'],
                ['@@ -1,3 +3,4 @@\n', lines[2], '+x\n', *lines[3:5]],
                # One without lines after it is for the end only.
                ['@@ -3,2 +3,3 @@\n', *lines[2:4], '+x\n'],
                # The lines are others.
                ['@@ -4,3 +4,4 @@\n', lines[9], '+x\n', *lines[11:13]]):
            path = self.series.top / '0001-x.patch'
            path.write_text(
                _HEADER + 'diff --git a/{0} b/{0}\n--- a/{0}\n'
                '+++ b/{0}\n{1}'.format(_MANAGER, ''.join(hunk)))
            patches = [series_patch.Patch(path)]
            self.assertRaises(in_memory.Unsure, self._in_memory, patches)
            self.assertRefused(
                stack.DoesNotApply, path.name, stack.commits, self.git,
                self.released, patches)

    def test_file_in_the_way(self):
        for name in (_MANAGER, _MANAGER + '/new.py', 'nova/compute'):
            path = self.series.top / '0001-x.patch'
            path.write_text(
                _HEADER + 'diff --git a/%s b/%s\n'
                'new file mode 100644\n--- /dev/null\n+++ b/%s\n'
                '@@ -0,0 +1 @@\n+x\n' % (name, name, name))
            self.assertRefused(
                stack.DoesNotApply, name, stack.commits, self.git,
                self.released, [series_patch.Patch(path)])
