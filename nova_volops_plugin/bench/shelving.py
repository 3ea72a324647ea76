# SPDX-License-Identifier: Apache-2.0

"""Servers on no host, for the benchmarks that need some."""


def boot(site, name):
    """Return the UUID of a new server that is offloaded.

    :param site: a :class:`nova_volops_plugin.bench.embedded.Site`
    """
    server = site.boot(name)
    shelve(site, server)
    return server


def shelve(site, server):
    """Take a server from its host."""
    site.act(server, 'SHELVED', 'shelve')
    site.act(server, 'SHELVED_OFFLOADED', 'shelveOffload')
