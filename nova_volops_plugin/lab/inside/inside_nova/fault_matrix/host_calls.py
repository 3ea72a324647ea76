# SPDX-License-Identifier: Apache-2.0

"""Calls to a host to let go of a volume, which may not be heard."""

import fixtures
from nova import exception
from oslo_messaging import exceptions

DOWN, UNREACHABLE, UNHEARD = 'down', 'unreachable', 'unheard'
# The service is known to be down; it does not get the message; it does, and
# its answer is lost.
FAULTS = (DOWN, UNREACHABLE, UNHEARD)
PREFIX = 'host-'


class HostCalls(fixtures.Fixture):
    """Makes the calls of nova.compute.volume_connections fail.

    :ivar on_call: called with the method and the volume's UUID; returns one
        of FAULTS, or None
    """

    def setUp(self):
        super().setUp()
        # It reads Nova's configuration, which the program has to set first.
        from nova.compute import volume_connections

        self.on_call = None
        call = volume_connections.API._call

        def call_or_fail(api, context, host, method, **kwargs):
            fault = self.on_call and self.on_call(
                method, kwargs['volume_id'])
            if fault == DOWN:
                raise exception.ComputeServiceUnavailable(host=host)
            if fault != UNREACHABLE:
                call(api, context, host, method, **kwargs)
            if fault:
                raise exceptions.MessagingTimeout('the host does not answer')

        self.useFixture(fixtures.MonkeyPatch(
            'nova.compute.volume_connections.API._call', call_or_fail))
