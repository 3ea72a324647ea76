# SPDX-License-Identifier: Apache-2.0

"""A volume is attached read-write: what everybody did before."""

from nova_volops_plugin.lab.bench import variants
from nova_volops_plugin.sdk import calls

NAME = 'attach'
TITLE = 'Attach of a volume read-write'
AXIS = 'volumes'
PROFILES = ('embedded', 'real')
LIMIT = (
    'Four calls: what the volume is, a reservation, the connection to the '
    'host and its end. As released, Nova asks on the host once more what the '
    'volume is; the series leaves that as it is.')


def least(size, variant):
    """Return the counts that a variant cannot do without, a dict."""
    return {'cinder': 4}


def run(run):
    servers = {}
    volumes = {}
    for variant, deployment in variants.bases(run):
        servers[variant] = deployment.boot('bench-attach')
        volumes[variant] = deployment.create_volume('bench-attach')
    for variant, deployment in run.alternate(variants.bases(run)):
        server, volume = servers[variant], volumes[variant]
        answer = deployment.attach(server, volume)
        run.add_requests(variant, 1, deployment, [answer])
        deployment.do(calls.detach(server, volume))
        deployment.wait_for_volume(volume, 'available')
