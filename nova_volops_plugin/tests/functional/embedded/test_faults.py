# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

import pathlib

import fixtures
import testtools

from nova_volops_plugin import exceptions
from nova_volops_plugin.faults import matrix
from nova_volops_plugin import state


class FaultsTest(testtools.TestCase):

    def _run(self, *arguments, base='2026.2'):
        log = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'nova.log'
        return {(case.call, case.fault): case for case in matrix.run(
            state.StateDir(), base, arguments, log)}

    def _check(self, base):
        cases = self._run(
            '--flow', 'detach-offloaded', '--fault', '500', '--fault', 'lost',
            base=base)
        self.assertEqual(
            {('get(old)', '500'): 'undone',
             ('attachment_delete(old)', '500'): 'undone',
             ('attachment_delete(old)', 'lost'): 'done'},
            {key: case.outcome for key, case in cases.items()})
        self.assertEqual({()}, {case.broken for case in cases.values()})

    def test_2026_2(self):
        self._check('2026.2')

    def test_yoga(self):
        self._check('yoga')

    def test_sample(self):
        cases = self._run('--flow', 'detach-offloaded', '--sample', '3')
        self.assertEqual(3, len(cases))

    def test_bad_input(self):
        for words, told in (
                (('--flow', 'x'), 'there is no flow x; choose from attach-ro'),
                (('--fault', '418'), 'there is no fault 418; choose from 400'),
                (('--flow', 'detach-offloaded', '--call', 'x'),
                 'there is no call x; choose from get(old)')):
            error = self.assertRaises(exceptions.BadInput, self._run, *words)
            self.assertIn(told, str(error))
