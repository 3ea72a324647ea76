# SPDX-License-Identifier: Apache-2.0

"""Hosts that are downgraded to unpatched Nova.

What controllers see of one is made: the stats of its node lack what only the
series writes, and placement keeps its traits. What it does itself is done by
the series all the same.
"""

import fixtures
from nova.compute import resource_tracker
from nova import context as nova_context

_OF_THE_SERIES = 'CUSTOM_'


class ReleasedHosts(fixtures.Fixture):
    """Takes hosts back and forward.

    :ivar had: the pairs of server and volume that a host had read-only when
        it was taken back, a set by the names of the hosts
    """

    def setUp(self):
        super().setUp()
        self.had = {}
        update = resource_tracker.ResourceTracker._update

        def update_as_released(tracker, context, node, *args, **kwargs):
            # What the servers of the host use brings them back before.
            if tracker.host in self.had:
                node.stats = {
                    name: value for name, value in node.stats.items()
                    if not name.startswith(_OF_THE_SERIES)}
            return update(tracker, context, node, *args, **kwargs)

        self.useFixture(fixtures.MonkeyPatch(
            'nova.compute.resource_tracker.ResourceTracker._update',
            update_as_released))

    def take_back(self, compute, read_only):
        """Have a host be of the release from now on.

        :param compute: its service
        :param read_only: what it has read-only, a set
        """
        self.had[compute.host] = read_only
        self._report(compute)

    def bring_forward(self, computes):
        """Have no host be of the release any more."""
        hosts = list(self.had)
        self.had.clear()
        for host in hosts:
            self._report(computes[host])

    @staticmethod
    def _report(compute):
        compute.manager.update_available_resource(
            nova_context.get_admin_context())
