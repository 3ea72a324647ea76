# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.series import difference
from nova_volops_plugin.series import replay
from nova_volops_plugin.series import steps
from nova_volops_plugin.tests.unit.series import samples

MANAGER = 'nova/compute/manager.py'


class ReorderedTest(samples.TestCase):
    """Two patches of one file change places."""

    def setUp(self):
        super().setUp()
        self.series.add('one')
        self.path, self.git = self.series.clone('one')
        self.start = self.git.line('rev-parse', 'HEAD')
        self.own = self._steps('First', 'Second')
        self.new = self._steps('Second', 'First')

    def _steps(self, *subjects):
        self.git.run('reset', '-q', '--hard', self.start)
        for subject in subjects:
            line = {'First': 'line_5 = 5', 'Second': 'line_30 = 30'}[subject]
            text = (self.path / MANAGER).read_text()
            self.series.commit(
                self.path, {MANAGER: text.replace(line, line + '0')},
                samples.message(subject))
        return steps.Steps(self.git, self.start, 'HEAD')

    def _run(self, resolutions):
        carried = difference.Difference(
            self.own, self.new, self.own, resolutions)
        return carried, carried.run()

    def test_order(self):
        carried, done = self._run({})
        self.assertEqual(['Second', 'First'],
                         [step.subject for step in done.steps])
        self.assertEqual([], carried.corrected)
        self.assertEqual(self.own.state(2)[MANAGER], done.entry(MANAGER))

    def test_merged_wrongly(self):
        """The files become what they were; the patch that does it is told."""
        second = self.new.steps[0]
        merger = replay.Merger(self.git)
        wrong = '100644', merger.write(
            merger.text(second.changes[MANAGER][1]) + b'wrong = True\n')
        carried, done = self._run({(second.key, MANAGER): wrong})
        self.assertEqual([(MANAGER, 'First')], carried.corrected)
        self.assertEqual(self.own.state(2)[MANAGER], done.entry(MANAGER))
