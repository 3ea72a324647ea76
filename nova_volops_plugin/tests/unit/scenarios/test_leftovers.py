# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import ddt
import fixtures
import testtools

from nova_volops_plugin.scenarios import leftovers

SETTLED_SECONDS = 20
CLAIM = 'a soft reboot changes none of it'


@ddt.ddt
class LeftoversTest(testtools.TestCase):

    @ddt.data((5, [CLAIM], []), (30, [], [CLAIM]))
    @ddt.unpack
    def test_recent_only_on_a_quick_machine(self, seconds, claimed, skipped):
        now = [0.0]

        def reboot(_server, _kind='HARD'):
            now[0] += seconds

        ctx = mock.Mock(reboot=reboot)
        ctx.cloud.settled_seconds = SETTLED_SECONDS
        for name, value in (('time.monotonic', lambda: now[0]),
                            ('time.sleep', lambda seconds: None),
                            ('_look', lambda *args: None),
                            ('_claim_gone', lambda *args: None)):
            self.useFixture(fixtures.MonkeyPatch(
                'nova_volops_plugin.scenarios.leftovers.' + name, value))
        leftovers._own_host(ctx)
        self.assertEqual(claimed, [call.args[0] for call in
                                   ctx.claim.mock_calls if call.args[0] ==
                                   CLAIM])
        self.assertEqual(skipped, [call.args[0] for call in
                                   ctx.skip.mock_calls])
