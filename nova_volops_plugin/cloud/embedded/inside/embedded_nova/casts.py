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
"""Casts that are done when they return."""

import fixtures
from oslo_log import log as logging
from oslo_messaging.rpc import client

LOG = logging.getLogger(__name__)


class WaitForCasts(fixtures.Fixture):
    """Lets who casts wait, so that nobody has to wait by the clock."""

    def setUp(self):
        super().setUp()
        cast = client._BaseCallContext.cast

        def cast_and_wait(context, ctxt, method, **kwargs):
            if context.target.fanout:
                return cast(context, ctxt, method, **kwargs)
            try:
                context.call(ctxt, method, **kwargs)
            except Exception:
                # The one who casts does not hear of it.
                LOG.exception('%s failed', method)

        self.useFixture(fixtures.MonkeyPatch(
            'oslo_messaging.rpc.client._BaseCallContext.cast',
            cast_and_wait))
