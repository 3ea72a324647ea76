# SPDX-License-Identifier: Apache-2.0

"""What requires what decides when it runs."""

import threading

import fixtures
import testtools

from nova_volops_plugin.cloud.real import start_order
from nova_volops_plugin import exceptions


class Unit:

    def __init__(self, name, *requires, fails=False, seen=None):
        self.name = name
        self.requires = requires
        self.fails = fails
        self.seen = seen

    def up(self, cancelled):
        if self.fails:
            raise exceptions.VolopsError(self.name + ' failed')
        self.seen.append(self.name)


class Service(Unit):

    def down(self):
        self.seen.append('no ' + self.name)


class TestForward(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.seen = []

    def test_after_what_is_required(self):
        log = self.useFixture(fixtures.FakeLogger(start_order.__name__))
        start_order.forward([
            Unit('c', 'b', seen=self.seen), Unit('b', 'a', seen=self.seen),
            Unit('a', seen=self.seen)])
        self.assertEqual(['a', 'b', 'c'], self.seen)
        self.assertEqual('a\nb\nc\n', log.output)

    def test_independent_ones_run_at_once(self):
        meeting = threading.Barrier(2, timeout=10)

        class Meeting(Unit):
            def up(self, cancelled):
                meeting.wait()
                super().up(cancelled)

        start_order.forward([Meeting('a', seen=self.seen),
                             Meeting('b', seen=self.seen)])
        self.assertEqual({'a', 'b'}, set(self.seen))

    def test_nothing_begins_after_a_failure(self):
        error = self.assertRaises(
            exceptions.VolopsError, start_order.forward,
            [Unit('a', fails=True), Unit('b', 'a', seen=self.seen)])
        self.assertEqual('a failed', str(error))
        self.assertEqual([], self.seen)

    def test_a_failure_ends_the_waiting_of_others(self):
        class Waiting(Unit):
            def up(self, cancelled):
                if not cancelled.wait(10):
                    self.seen.append('never cancelled')

        self.assertRaises(
            exceptions.VolopsError, start_order.forward,
            [Waiting('a', seen=self.seen), Unit('b', fails=True)])
        self.assertEqual([], self.seen)

    def test_unknown_requirement(self):
        error = self.assertRaises(
            ValueError, start_order.forward, [Unit('a', 'z')])
        self.assertIn('z', str(error))

    def test_circle(self):
        self.assertRaises(
            ValueError, start_order.forward, [Unit('a', 'b'), Unit('b', 'a')])


class TestBackward(testtools.TestCase):

    def test_before_what_is_required_even_through_steps(self):
        seen = []
        start_order.backward([
            Service('a', seen=seen), Unit('step', 'a'),
            Service('b', 'step', seen=seen)])
        self.assertEqual(['no b', 'no a'], seen)

    def test_spared(self):
        seen = []
        start_order.backward([Service('a', seen=seen),
                              Service('b', 'a', seen=seen)], {'a'})
        self.assertEqual(['no b'], seen)
