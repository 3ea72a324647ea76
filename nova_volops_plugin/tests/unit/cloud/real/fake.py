# SPDX-License-Identifier: Apache-2.0

"""A layout in a short folder of its own, as sockets need it."""

import pathlib
import shutil
import socket
import tempfile

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin import state


class TestCase(testtools.TestCase):
    """Has ``self.state`` and :meth:`layout`; ends what a test left running."""

    def setUp(self):
        super().setUp()
        folder = pathlib.Path(tempfile.mkdtemp(prefix='vr'))
        self.addCleanup(shutil.rmtree, folder)
        self.state = state.StateDir(folder)

    def listen(self, name='x'):
        """Return a socket that listens on the only port of the cloud."""
        listener = socket.create_server((layout.ADDRESS, 0))
        self.addCleanup(listener.close)
        self.useFixture(fixtures.MockPatchObject(
            layout, 'PORTS', {name: listener.getsockname()[1]}))
        return listener

    def layout(self, base=None, patched=True, hosts=1):
        return layout.Layout(
            self.state, base or nova_base.default(), patched, hosts)
