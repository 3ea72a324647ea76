# SPDX-License-Identifier: Apache-2.0

"""Steps are done once; services are up when they answer."""

import socket
import threading

from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.cloud.real import fake


class Step(units.Step):

    name = 'step'
    times = 0
    for_what = ''

    def key(self):
        return self.for_what

    def do(self):
        self.times += 1
        if self.for_what == 'bad':
            raise exceptions.VolopsError('bad')


class TestStep(fake.TestCase):

    def test_once(self):
        step = Step(self.layout())
        step.up(None)
        step.up(None)
        self.assertEqual(1, step.times)

    def test_again_for_another_key(self):
        step = Step(self.layout())
        step.up(None)
        step.for_what = 'another tree'
        step.up(None)
        self.assertEqual(2, step.times)

    def test_a_failure_is_not_done(self):
        step = Step(self.layout())
        step.for_what = 'bad'
        for times in (1, 2):
            self.assertRaises(exceptions.VolopsError, step.up, None)
            self.assertEqual(times, step.times)

    def test_each_variant_once(self):
        step = Step(self.layout())
        step.of_variant = True
        step.up(None)
        other = Step(self.layout(patched=False))
        other.of_variant = True
        other.up(None)
        self.assertEqual((1, 1), (step.times, other.times))

    def test_command_that_fails_names_its_log(self):
        step = Step(self.layout())
        error = self.assertRaises(
            exceptions.VolopsError, step.run, 'sh', '-c', 'echo why; exit 3')
        self.assertIn(str(step.layout.log('step')), str(error))
        self.assertEqual('why\n', step.layout.log('step').read_text())


class Service(units.Service):

    name = 'service'
    poll_seconds = 0.05
    argv = ['sleep', '300']
    answers = True

    def command(self):
        return self.argv

    def check(self):
        if not self.answers:
            raise units.NotReady('it is shy')
        return 'here'


class TestService(fake.TestCase):

    def setUp(self):
        super().setUp()
        self.service = Service(self.layout())
        self.addCleanup(self.service.down)
        self.never = threading.Event()

    def test_up_twice_is_one_process(self):
        self.service.up(self.never)
        first = self.service.status()
        self.service.up(self.never)
        self.assertEqual(('up', 'here'), (first.state, first.detail))
        self.assertEqual(first, self.service.status())

    def test_killed_comes_back(self):
        self.service.up(self.never)
        pid = self.service.status().pid
        killed = processes.find(self.service.layout, 'service')
        killed.kill()
        killed.wait(10)
        self.service.up(self.never)
        self.assertNotEqual(pid, self.service.status().pid)

    def test_without_an_answer_it_is_not_up(self):
        self.service.up(self.never)
        self.service.answers = False
        status = self.service.status()
        self.assertEqual(('failed', 'it is shy'),
                         (status.state, status.detail))

    def test_one_that_ends_is_told_of(self):
        self.service.argv = ['false']
        self.service.answers = False
        error = self.assertRaises(
            exceptions.VolopsError, self.service.up, self.never)
        self.assertIn('ended while starting', str(error))
        self.assertEqual('down', self.service.status().state)

    def test_cancelled(self):
        self.service.answers = False
        self.never.set()
        error = self.assertRaises(
            exceptions.VolopsError, self.service.up, self.never)
        self.assertIn('cancelled', str(error))


class TestAnswers(fake.TestCase):

    def serve(self, reply):
        server = socket.create_server(('127.0.0.1', 0))
        self.addCleanup(server.close)

        def answer():
            connection, _address = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(reply)

        thread = threading.Thread(target=answer)
        thread.start()
        self.addCleanup(thread.join)
        return server.getsockname()[1]

    def test_greeting(self):
        port = self.serve(b'VERSION 1')
        self.assertEqual('127.0.0.1:%d' % port,
                         units.greet(port, b'version\n', b'VERSION'))

    def test_wrong_greeting(self):
        port = self.serve(b'ERROR')
        self.assertRaises(
            units.NotReady, units.greet, port, b'version\n', b'VERSION')

    def _ask(self, status):
        url = 'http://127.0.0.1:%d/' % self.serve(
            b'HTTP/1.0 %d X\r\n\r\n' % status)
        return url, units.answer(url)

    def test_http(self):
        # One that refuses to say more without a login answers, too.
        for status in (300, 401):
            url, answer = self._ask(status)
            self.assertEqual(url, answer)
        error = self.assertRaises(units.NotReady, self._ask, 503)
        self.assertIn('503', str(error))

    def test_command_that_fails(self):
        error = self.assertRaises(
            units.NotReady, units.ask, ['sh', '-c', 'echo no >&2; exit 1'])
        self.assertEqual('no', str(error))

    def test_command_that_hangs(self):
        self.assertRaises(
            units.NotReady, units.ask, ['sleep', '30'], timeout=0.2)
