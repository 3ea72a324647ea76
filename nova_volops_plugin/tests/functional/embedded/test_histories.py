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

from nova_volops_plugin.faults import histories
from nova_volops_plugin.faults import histories_test
from nova_volops_plugin import state

# They have all kinds of trouble; what they do is the same in each run.
SEED = 5
BATCHES = 1


class HistoriesTest(testtools.TestCase):

    def test_fixed_seed(self):
        log = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'nova.log'
        batches = list(histories.run(
            state.StateDir(), '2026.2', SEED, batches=BATCHES, log=log))
        self.assertEqual([], [
            histories_test.test_of(found)
            for batch in batches for found in batch.found])
        # Nothing is proved by requests that are refused.
        asked = sum(sum(batch.asked.values()) for batch in batches)
        accepted = sum(sum(batch.accepted.values()) for batch in batches)
        self.assertLess(0.8 * asked, accepted)
        self.assertLess(10, sum(sum(batch.struck.values())
                                for batch in batches))
