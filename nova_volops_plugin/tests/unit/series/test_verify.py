# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.series import verify
from nova_volops_plugin.tests.unit.series import samples


class VerifyTest(samples.PatchedTestCase):

    def _verify(self):
        found, = verify.verify(self.series.load('one'), self.path)
        return found

    def test_leaves_the_tree_alone(self):
        before = samples.snapshot(self.path), self.git.run(
            'count-objects', '-v')
        self._verify()
        self.assertEqual(before, (samples.snapshot(self.path), self.git.run(
            'count-objects', '-v')))

    def test_does_not_apply(self):
        patch = self.base.path / '0002-compute-change-a-line.patch'
        patch.write_text(patch.read_text().replace('-line_20', '-line_99'))
        result = self._verify()
        self.assertEqual('', result.tree)
        self.assertIn('0002-compute-change-a-line.patch', result.problem)

    def test_other_fetched_tree(self):
        self.series.commit(self.path, {'README.rst': 'Mine'}, 'Mine')
        self.git.run('tag', '-f', '1.0.0')
        self.assertIn('fetch again', self._verify().problem)
