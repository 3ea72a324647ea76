# SPDX-License-Identifier: Apache-2.0

"""A cloud of two releases: the story that matters most."""

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.rolling import chain
from nova_volops_plugin.lab.rolling import mixed
from nova_volops_plugin import result
from nova_volops_plugin import state


class RollingTest(testtools.TestCase):

    def _run(self, newer, *stories, older=None):
        steps = list(mixed.run(
            state.StateDir(), python.newest_base(), newer, stories,
            older=older))
        self.assertEqual([], [step for step in steps
                              if step.result != result.PASSED])
        return {step.step: step.found for step in steps}

    def test_read_only(self):
        found = self._run(mixed.CONTROLLERS, 'read_only_on_an_old_compute')
        self.assertEqual('409', found['the mode ro'])

    def test_taken_back(self):
        found = self._run(mixed.CONTROLLERS, 'take_back_a_compute',
                          'take_back_among_read_only')
        self.assertEqual('True', found['its trait is left'])
        self.assertEqual('409', found['the mode ro without it'])

    def test_computes_first(self):
        found = self._run(mixed.COMPUTE, 'computes_before_controllers')
        self.assertEqual('ACTIVE on remote', found['boot with a volume'])

    def test_chain(self):
        """A cloud gets the series, and then the newest release."""
        bases = sorted(nova_base.load_all(),
                       key=lambda base: base.release)[-2:]
        steps = list(chain.run(state.StateDir(), bases))
        self.assertEqual([], [step for step in steps
                              if step.result != result.PASSED])
        found = {step.step: step.found for step in steps
                 if step.story == bases[-1].name + ': upgrade'}
        self.assertEqual(('started', '7'), (
            found['the compute gets it'], found['at the end']))

    def test_not_older(self):
        error = self.assertRaises(
            exceptions.BadInput, self._run, mixed.CONTROLLERS,
            older=python.newest_base())
        self.assertIn('is not older than', str(error))

    def test_unknown_story(self):
        error = self.assertRaises(
            exceptions.BadInput, self._run, mixed.CONTROLLERS, 'x')
        self.assertIn('there is no story x; choose from', str(error))
