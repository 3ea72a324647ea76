# SPDX-License-Identifier: Apache-2.0

import types

import fixtures
import testtools

from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.bench import testbed


class Cloud:
    """What is asked of a cloud, and noted."""

    def __init__(self, state, refuses=False):
        self.state = state
        self.refuses = refuses
        self.done = []

    def status(self):
        return [types.SimpleNamespace(state=self.state)]

    def up(self):
        if self.refuses:
            raise exceptions.BadInput('another one is up')
        self.done.append('up')

    def down(self):
        self.done.append('down')


class RealTest(testtools.TestCase):

    def _measure(self, cloud):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.bench.real.cloud', lambda *args: cloud))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.bench.real.Deployment',
            lambda cloud, patched: types.SimpleNamespace(
                patched=patched, set_up=lambda: None)))
        with testbed.Testbed(None, 'new', 'real') as bed:
            found = [bed.deployment(patched)
                     for patched in (True, False, True)]
        self.assertEqual([True, False, True], [
            deployment.patched for deployment in found])
        return cloud.done

    def test_is_started_once(self):
        self.assertEqual(['up', 'down'], self._measure(Cloud('down')))

    def test_stays_up(self):
        self.assertEqual(['up'], self._measure(Cloud('up')))

    def test_another_one_stays_up(self):
        cloud = Cloud('up', refuses=True)
        self.assertRaises(exceptions.BadInput, self._measure, cloud)
        self.assertEqual([], cloud.done)
