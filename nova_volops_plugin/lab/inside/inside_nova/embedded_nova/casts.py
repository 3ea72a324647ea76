# SPDX-License-Identifier: Apache-2.0

"""Casts that return when they are done."""

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
