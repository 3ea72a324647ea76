# SPDX-License-Identifier: Apache-2.0

"""The commands that check something: what they ask for and tell."""

import json

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin.lab.databases import steps
from nova_volops_plugin.lab.faults import bad_input
from nova_volops_plugin.lab.rolling import mixed
from nova_volops_plugin.lab.rolling import names
from nova_volops_plugin import result
from nova_volops_plugin.tests.unit import command_line

COMPUTES_FIRST = names.COMPUTES_FIRST
NEWEST = python.newest_base()
OLDER = nova_base.Base.load(nova_base.sample()[-1])
CHAIN = ('rolling', '--chain', OLDER.name, NEWEST.name)
STEP = mixed.Step('story', 'attach', '409', '409', True)
BROKEN = mixed.Step('story', 'move', '409', '409', True, ('it can write',))
OTHER = mixed.Step('story', 'swap', '409', '202', False)
VERDICTS = [result.PASSED, result.FAILED, result.FAILED]
REFUSED = bad_input.Answer(('2.1', 'POST', '/servers', {}), 400, 'no')
CRASHED = bad_input.Answer(('2.1', 'PUT', '/x', {}), 500, 'oops')
CHANGED = bad_input.Answer(('2.1', 'PUT', '/x', {}), 404, '', ('volumes',))


class VerdictTest(testtools.TestCase):

    def test_step(self):
        self.assertEqual(VERDICTS, [
            step.result for step in (STEP, BROKEN, OTHER)])

    def test_answer(self):
        self.assertEqual(VERDICTS, [
            answer.result for answer in (REFUSED, CRASHED, CHANGED)])


class CommandTest(command_line.TestCase):

    def setUp(self):
        super().setUp()
        self.asked = []

    def _answer(self, target, results):
        def run(*args):
            self.asked.append(args)
            return iter(results)

        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.' + target, run))

    def test_rolling(self):
        self._answer('lab.rolling.mixed.run', [STEP])
        code, out, _err = self.volops(
            'rolling', '--base', OLDER.name, '--newer', 'compute', '--story',
            *COMPUTES_FIRST)
        self.assertEqual(0, code)
        self.assertEqual((OLDER, 'compute', [*COMPUTES_FIRST], None, None),
                         self.asked[0][1:])
        self.assertTrue(out.endswith(
            'rolling: 1 passed, 0 failed, 0 skipped\n'))

    def test_rolling_older(self):
        self._answer('lab.rolling.mixed.run', [STEP])
        self.assertEqual(0, self.volops('rolling', '--older', OLDER.name)[0])
        self.assertEqual((NEWEST, 'controllers', [], None, OLDER),
                         self.asked[0][1:])
        self.assertEqual(2, self.volops(
            'rolling', '--older', OLDER.name, '--newer', 'compute')[0])
        self.assertEqual(1, len(self.asked))

    def test_rolling_chain(self):
        self._answer('lab.rolling.chain.run', [STEP])
        self.assertEqual(0, self.volops(*CHAIN)[0])
        self.assertEqual(([OLDER, NEWEST], None), self.asked[0][1:3])
        for words in (('--older', OLDER.name), ('--story', 'x'),
                      ('--newer', 'compute')):
            self.assertEqual(2, self.volops(*CHAIN, *words)[0])
        self.assertEqual(1, len(self.asked))

    def test_rolling_failed(self):
        self._answer('lab.rolling.mixed.run', [STEP, BROKEN])
        code, out, _err = self.volops('rolling', '-f', 'json')
        self.assertEqual(3, code)
        self.assertEqual(
            [('409', 'passed'), ('409; it can write', 'failed')],
            [(row['Found'], row['Result']) for row in json.loads(out)])

    def test_bad_input(self):
        self._answer('lab.faults.bad_input.run',
                     [REFUSED, CHANGED, REFUSED, CRASHED])
        code, out, _err = self.volops(
            'bad-input', '--number', '4', '--seed', '7', '--log', 'nova.log',
            '-f', 'json')
        self.assertEqual(3, code)
        self.assertEqual(
            (NEWEST, 4, 7, 'nova.log'), self.asked[0][1:])
        self.assertEqual(
            [('404 ; volumes', 1, 'failed'), ('500 oops; ', 1, 'failed'),
             (400, 2, 'passed')],
            [(row['Answer'], row['Number'], row['Result'])
             for row in json.loads(out)])

    def test_server_missing(self):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.databases.servers.PostgreSQL._binary',
            staticmethod(lambda: None)))
        code, _out, err = self.volops('databases', '--server', 'postgresql')
        self.assertEqual(1, code)
        self.assertIn('apt-get install postgresql', err)

    def test_database_step(self):
        self.assertEqual(
            result.PASSED, steps.Step('x', r'\d+', '7 rows').result)
        self.assertEqual(
            result.FAILED, steps.Step('x', 'ServiceTooOld', '74').result)
