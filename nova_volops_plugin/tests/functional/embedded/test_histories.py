# SPDX-License-Identifier: Apache-2.0

import dataclasses
import pathlib

import fixtures
import testtools
from testtools import content

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.lab.faults import excuses
from nova_volops_plugin.lab.faults import histories
from nova_volops_plugin.lab.faults import histories_test
from nova_volops_plugin import state

# It has all kinds of trouble.
SEED = 1
# Few, as the gate has an hour.
SIZE = 8


class HistoriesTest(testtools.TestCase):

    def test_fixed_seed(self):
        log = self.useFixture(fixtures.TempDir()).join('nova.log')
        self.addOnException(lambda _info: self._show_steps(log))
        batch, = histories.run(
            state.StateDir(), nova_base.default(), SEED, batches=1, log=log,
            size=SIZE)
        self.assertEqual(
            [], [histories_test.test_of(found) for found in batch.found])
        # Nothing is proved by requests that are refused.
        self.assertLess(0.6 * sum(batch.asked.values()),
                        sum(batch.accepted.values()))
        self.assertLess(5, sum(batch.hits.values()))

    def _show_steps(self, log):
        path = pathlib.Path(log)
        if path.exists():
            self.addDetail('steps', content.text_content('\n'.join(
                line for line in path.read_text(errors='replace').splitlines()
                if ' inside_nova.histories' in line)))

    def test_excuses(self):
        found = [histories.Found(
            '', excuse.signature, excuse.what, 0, excuse.steps)
            for excuse in excuses.EXCUSES]
        found.append(dataclasses.replace(
            found[-1], signature='nothing', text='nothing'))
        shown = list(histories.as_released(
            state.StateDir(), nova_base.default(), found))
        # The last one shows that not everything is taken to be shown.
        self.assertEqual(['nothing'], [each.text for each, is_shown in zip(
            found, shown, strict=True) if not is_shown])

    def test_creations_that_overlap(self):
        """Each server has the mode that was asked for it."""
        # The other one is created before the second one of two.
        found = histories.Found(
            'read-only', 'read-only, create: server* can write to shared', '',
            0, [{'step': ['create', False, 3, 'rw', 2], 'troubles': [
                {'kind': 'rival', 'nth': 4, 'rival': ['create', 0, 1]}]}])
        self.assertEqual([False], list(histories.shown_again(
            state.StateDir(), nova_base.default(), [found])))
