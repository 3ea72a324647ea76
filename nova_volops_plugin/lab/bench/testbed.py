# SPDX-License-Identifier: Apache-2.0

"""The clouds that benchmarks run on, started once a run."""

import contextlib

from nova_volops_plugin.cloud import profiles
from nova_volops_plugin.lab.bench import embedded
from nova_volops_plugin.lab.bench import real


class Testbed:
    """Gives the clouds of a run, each started once; a context manager.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param profile: the kind of cloud that was asked for
    """

    def __init__(self, state, base, profile):
        self.state = state
        self.base = base
        self.profile = profile
        self._deployments = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        return self._stack.__exit__(*exc_info)

    def clean_up(self):
        """Delete what was made in the clouds."""
        for deployment in self._deployments.values():
            deployment.clean_up()

    def deployment(self, patched=True):
        """Return where the patched base is measured, or the released one.

        Of a real cloud it is a host with that code.

        :returns: a :class:`nova_volops_plugin.lab.bench.embedded.Deployment`
        """
        if patched not in self._deployments:
            self._deployments[patched] = self._start(patched)
        deployment = self._deployments[patched]
        deployment.set_up()
        return deployment

    def _start(self, patched):
        if self.profile == profiles.DEFAULT:
            cloud = embedded.MeasuredCloud(
                self.state, self.base, patched, hosts=2)
            return embedded.Deployment(self._up(cloud))
        if not self._deployments:
            self._up(real.cloud(self.state, self.base))
        return real.Deployment(real.cloud(self.state, self.base), patched)

    def _up(self, cloud):
        # One that is up stays up, and is only used if it is the same.
        ours = all(service.state == 'down' for service in cloud.status())
        cloud.up()
        if ours:
            self._stack.callback(cloud.down)
        return cloud
