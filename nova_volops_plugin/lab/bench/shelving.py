# SPDX-License-Identifier: Apache-2.0

"""Servers on no host, for the benchmarks that need some."""


def boot(deployment, name):
    """Return the UUID of a new server that is offloaded.

    :param deployment: a
        :class:`nova_volops_plugin.lab.bench.embedded.Deployment`
    """
    server = deployment.boot(name)
    shelve(deployment, server)
    return server


def shelve(deployment, server):
    """Take a server from its host."""
    deployment.act(server, 'SHELVED', 'shelve')
    deployment.act(server, 'SHELVED_OFFLOADED', 'shelveOffload')
