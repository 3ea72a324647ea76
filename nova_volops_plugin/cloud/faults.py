# SPDX-License-Identifier: Apache-2.0

"""Injects faults into a cloud."""


class Faults:
    """Those of a cloud that can have none of them.

    Each method returns whether the cloud can do so. Services are named as in
    :meth:`base.Cloud.status`.
    """

    def stop(self, service):
        """Stop one service, until :meth:`up`."""
        return False

    def kill(self, service):
        """Kill one service with SIGKILL; :meth:`up` starts it again."""
        return False

    def lose_host(self, host):
        """End a compute host and its guests, until :meth:`up`.

        :param host: the name of the host
        """
        return False

    def refuse(self, call=None):
        """Have Cinder answer all calls of a kind with 403.

        :param call: the name of Nova's method for it; None for no more of it
        """
        return False

    def forget_device(self, server, volume):
        """Delete Nova's record of a volume, and nothing else of it.

        So it is left by a detach that failed half way.

        :param server: the server's UUID
        :param volume: the volume's UUID
        """
        return False

    def defer_deletes(self, wanted):
        """Have deleted servers kept, or deleted at once, from :meth:`up` on.

        :param wanted: whether they are kept for a while, to be restored
        """
        return False
