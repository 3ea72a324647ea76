# SPDX-License-Identifier: Apache-2.0

"""Clouds of the tests: each has its own, all share trees and environments."""

import pathlib
import re
import shutil
import sys
import tempfile

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cloud import client
from nova_volops_plugin.cloud.embedded import cloud
from nova_volops_plugin import state


def make_state(own_trees=False):
    """Return a StateDir with clouds of its own; the caller deletes it.

    :param own_trees: whether it has trees of its own too
    """
    shared = state.StateDir()
    own = pathlib.Path(tempfile.mkdtemp(prefix='volops-'))
    folders = [shared.sdists, shared.envs] + [shared.trees] * (not own_trees)
    for folder in folders:
        (own / folder.name).symlink_to(folder)
    return state.StateDir(own)


def on_other_bases(test):
    """Decorate a :class:`CloudTest` that is also run on other bases."""
    for name in nova_base.sample()[1:]:
        other = type(
            '%sOn%s' % (test.__name__, re.sub(r'\W', '_', name)), (test,),
            {'WHAT_RUNS': dict(
                test.WHAT_RUNS, base=nova_base.Base.load(name)),
             '__module__': test.__module__})
        setattr(sys.modules[test.__module__], other.__name__, other)
    return test


class StateTest(testtools.TestCase):
    """A test that starts its clouds itself."""

    def setUp(self):
        super().setUp()
        self.state = make_state()
        self.addCleanup(shutil.rmtree, self.state.path)
        self.addCleanup(self.cloud().down)

    def cloud(self, **what_runs):
        return cloud.EmbeddedCloud(self.state, **what_runs)


class CloudTest(testtools.TestCase):
    """A test on a cloud that the tests of its class share."""

    WHAT_RUNS = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.state = make_state()
        cls.addClassCleanup(shutil.rmtree, cls.state.path)
        cls.cloud = cloud.EmbeddedCloud(cls.state, **cls.WHAT_RUNS)
        cls.addClassCleanup(cls.cloud.down)
        cls.cloud.up()

    def setUp(self):
        super().setUp()
        self.openstack = client.connect(self.cloud.environ())

    def _server(self, **fields):
        server = self.openstack.compute.create_server(
            image_id=next(self.openstack.image.images()).id, flavor_id='1',
            networks='none', **{'name': 'server', **fields})
        self.addCleanup(self._delete_server, server)
        return self.openstack.compute.wait_for_server(server, wait=60)

    def _delete_server(self, server):
        self.openstack.compute.delete_server(server)
        self.openstack.compute.wait_for_delete(server, wait=60)

    def _volume(self, **fields):
        volume = self.openstack.block_storage.create_volume(size=1, **fields)
        self.addCleanup(self._delete_volume, volume)
        return volume

    def _wait(self, volume, status):
        # Of a volume known to have the status the SDK would not ask again.
        self.openstack.block_storage.wait_for_status(
            self.openstack.block_storage.get_volume(volume.id), status,
            wait=60)

    def _delete_volume(self, volume):
        self._wait(volume, 'available')
        self.openstack.block_storage.delete_volume(volume)
