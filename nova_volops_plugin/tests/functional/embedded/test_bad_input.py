# SPDX-License-Identifier: Apache-2.0

"""Requests of nobody's and of strangers: refused, and nothing changes."""

import collections
import json
import pathlib

import fixtures
import testtools

from nova_volops_plugin.bases import base
from nova_volops_plugin.bases import python
from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin.lab.databases import nova as nova_code
from nova_volops_plugin.lab.faults import bad_input
from nova_volops_plugin import result
from nova_volops_plugin.series import nova
from nova_volops_plugin import state

POLICIES = '''
import json
from nova import policies
print(json.dumps(sorted(
    [rule.name, rule.check_str, sorted(rule.scope_types or ())]
    for rule in policies.list_rules())))
'''


class BadInputTest(testtools.TestCase):

    def test_sample(self):
        log = pathlib.Path(self.useFixture(fixtures.TempDir()).path, 'log')
        # With this seed one request has two events of one kind for a server,
        # and Nova does not finish the actions of both.
        answers = list(bad_input.run(
            state.StateDir(), python.newest_base(), 40, 178, log))
        self.assertEqual(40, len(answers))
        text = log.read_text(errors='replace')
        self.assertLess(1, text.count('Creating event volume-extended'))
        self.assertNotIn('gave up waiting', text)
        self.assertEqual(
            [], [answer for answer in answers
                 if answer.result != result.PASSED])
        self.assertIn(400, {answer.code for answer in answers})


class TwoProjectsTest(testtools.TestCase):

    def test_refused(self):
        newest = nova.ensure(state.StateDir(), python.newest_base())
        with process.running(newest, ['inside_nova.two_projects']) as running:
            found = [json.loads(line) for line in running.lines()]
        self.assertEqual([], [
            result for result in found
            if result['changed'] or result['code'] not in (400, 403, 404)])
        counted = collections.Counter(result['who'] for result in found)
        self.assertGreater(counted['stranger'], 80)
        self.assertEqual(
            {403}, {result['code'] for result in found
                    if result['who'] == 'reader'})


class PoliciesTest(testtools.TestCase):

    def _policies(self, name, patched):
        code = nova_code.Nova(
            state.StateDir(), base.Base.load(name), patched)
        return json.loads(code.python('-c', POLICIES, failure='no').stdout)

    def test_unchanged(self):
        for name in base.sample():
            released = self._policies(name, False)
            self.assertGreater(len(released), 100)
            self.assertEqual(released, self._policies(name, True))
