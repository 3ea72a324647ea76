# SPDX-License-Identifier: Apache-2.0

import shutil

from nova_volops_plugin.series import detect
from nova_volops_plugin.tests.unit.series import samples


class DistanceTest(samples.PatchedTestCase):

    def _distance(self):
        return self.tree.distance(self.base)

    def _commit(self, number=1):
        for _ in range(number):
            text = (self.path / 'README.rst').read_text()
            self.series.commit(self.path, {'README.rst': text + 'x'}, 'Mine')

    def test_as_released(self):
        self.assertEqual('none', self._distance())
        self.tree.apply(self.base)
        self.assertEqual('none', self._distance())

    def test_commits_below_the_series(self):
        self._commit()
        self.assertEqual('1 commit after 1.0.0', self._distance())
        self._commit(2)
        self.assertEqual('3 commits after 1.0.0', self._distance())
        self.tree.apply(self.base)
        self.assertEqual('3 commits after 1.0.0', self._distance())

    def test_commits_without_a_tag(self):
        self.git.run('tag', '-d', '1.0.0')
        self._commit(2)
        self.assertEqual('2 commits after 1.0.0', self._distance())

    def _orphan(self):
        """Make a commit whose history has no commit with the release."""
        self._commit()
        self.git.run('reset', '-q', '--hard', self.git.line(
            'commit-tree', 'HEAD^{tree}', '-m', 'Upstream'))

    def test_commits_after_a_tag(self):
        """As in Nova's own repository, where tags have other files."""
        self._orphan()
        self.git.run('tag', '-f', '1.0.0')
        self.assertEqual('none', self._distance())
        self._commit(3)
        self.assertEqual('3 commits after 1.0.0', self._distance())
        self.git.run('tag', '1.1.0.0rc1')
        self.assertEqual('nova 1.1.0.0rc1; the series is for 1.0.0',
                         self._distance())
        self._commit(2)
        self.assertEqual(
            '2 commits after 1.1.0.0rc1; the series is for 1.0.0',
            self._distance())

    def test_not_known(self):
        self._orphan()
        self.assertEqual('unknown', self._distance())

    def test_files(self):
        path = shutil.copytree(self.path, self.series.top / 'unpacked',
                               ignore=shutil.ignore_patterns('.git'))
        tree = detect.open_tree(path)
        for version, words in (
                ('1.0.0', 'none'),
                ('1.1.0', 'nova 1.1.0; the series is for 1.0.0'),
                ('1.0.1.dev373',
                 'nova 1.0.1.dev373; the series is for 1.0.0')):
            (path / 'PKG-INFO').write_text('Version: %s\n' % version)
            self.assertEqual(words, tree.distance(self.base))
        (path / 'PKG-INFO').unlink()
        self.assertEqual('unknown', tree.distance(self.base))
