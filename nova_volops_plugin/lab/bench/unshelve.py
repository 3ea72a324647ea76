# SPDX-License-Identifier: Apache-2.0

"""An unshelve of an offloaded server, by the number of volumes."""

from nova_volops_plugin.lab.bench import variants

NAME = 'unshelve'
TITLE = 'Unshelve of an offloaded server'
AXIS = 'volumes'
PROFILES = ('embedded',)
LIMIT = (
    'Two calls for each volume: the connection to the host and its end. As '
    'released, Nova asks on the host what each volume is besides.')


def least(size, variant):
    """Return the counts that a variant cannot do without, a dict."""
    return {'cinder': 2 * size}


def run(run):
    servers = {}
    for variant, deployment in variants.bases(run):
        servers[variant] = deployment.boot_offloaded('bench-unshelve')
    for count in variants.more_volumes(run, servers):
        for variant, deployment in run.alternate(variants.bases(run)):
            answer = deployment.act(servers[variant], 'ACTIVE', 'unshelve')
            run.add_requests(variant, count, deployment, [answer])
            deployment.offload(servers[variant])
