# SPDX-License-Identifier: Apache-2.0

"""RPC calls by which hosts repair attachments, which may be lost."""

import fixtures
from nova import exception
from oslo_messaging import exceptions

DOWN, UNREACHABLE, UNHEARD = 'down', 'unreachable', 'unheard'
# The service is known to be down; it does not get the message; it does, and
# its answer is lost.
FAULTS = (DOWN, UNREACHABLE, UNHEARD)
PREFIX = 'host-'


class HostCalls(fixtures.Fixture):
    """Makes the calls of nova.compute.attachment_service fail.

    :ivar on_call: called with the method; returns one of FAULTS, or None
    """

    def setUp(self):
        super().setUp()
        # It reads Nova's configuration, which the program has to set first.
        self.on_call = None
        try:
            from nova.compute import attachment_service
        except ImportError:
            # The release, which histories are made on too.
            return
        clean_up = attachment_service.API.clean_up

        def clean_up_or_fail(api, context, host, *args, **kwargs):
            fault = self.on_call and self.on_call('clean_up')
            if fault == DOWN:
                raise exception.ComputeServiceUnavailable(host=host)
            if fault != UNREACHABLE:
                rows = clean_up(api, context, host, *args, **kwargs)
            if fault:
                raise exceptions.MessagingTimeout('the host does not answer')
            return rows

        self.useFixture(fixtures.MonkeyPatch(
            'nova.compute.attachment_service.API.clean_up',
            clean_up_or_fail))
