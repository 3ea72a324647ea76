# SPDX-License-Identifier: Apache-2.0

"""The services that stay while Nova is replaced.

Cinder, Glance and Placement have a process of their own, which lives as long
as the chain of upgrades does. The guests run on, too: their definitions are
carried from one process to the next.
"""

import fixtures
from oslo_utils.fixture import uuidsentinel

from inside_nova.mixed_nova import cloud
from inside_nova.mixed_nova import handover

# What the processes would each make up anew.
CELL = '90ee5a57-1e9a-4f5b-8f8a-2b3a3f54e4c1'
LOCAL_NODE = 'c1d0bb5c-8b6e-4a4f-9a25-0a4b8d3f7d0e'


class Neighbours(cloud.Controllers):
    """Cinder, Glance and Placement, for all the others."""

    def setUp(self):
        super().setUp()
        self.conductor.stop()
        self.scheduler.stop()
        self.cinder.send_event = self._tell

    def _tell(self, *event):
        self.link.call('event', *event)


class Controllers(cloud.Controllers):
    """The controllers and a compute, with the databases of those before.

    :param neighbours: a :class:`link.Link` to the process that has the
        :class:`Neighbours`
    :param folder: where the databases are
    """

    def __init__(self, link, neighbours, folder, *args):
        super().__init__(link, *args)
        self.neighbours = neighbours
        self.folder = folder

    def setUp(self):
        setattr(uuidsentinel, 'cell1', CELL)
        setattr(uuidsentinel, 'node_' + cloud.LOCAL, LOCAL_NODE)
        if handover.exists(self.folder):
            # They are in the database that is loaded.
            self.stub_out('nova.tests.fixtures.DefaultFlavorsFixture',
                          fixtures.Fixture)
        super().setUp()
        self.use_neighbours()
        self.use_other_cinder()

    def _setup_cells(self):
        super()._setup_cells()
        if handover.exists(self.folder):
            handover.load(self.folder, self.cell_mappings)

    def calls(self, series):
        return dict(super().calls(series), event=self._send_event)

    def map_hosts(self):
        """Know of the hosts that are mapped, or else map that of the peer."""
        if handover.exists(self.folder):
            self.host_mappings.update({cloud.LOCAL: None, cloud.REMOTE: None})
        else:
            self.map_remote()


class Compute(cloud.Compute):
    """A compute of the chain."""

    def __init__(self, link, neighbours, *args):
        super().__init__(link, *args)
        self.neighbours = neighbours
