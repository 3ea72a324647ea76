# SPDX-License-Identifier: Apache-2.0

"""A hard reboot of a healthy server, by the number of volumes."""

from nova_volops_plugin.lab.bench import variants

NAME = 'reboot'
PLOT = True
TITLE = 'Hard reboot of a healthy server'
AXIS = 'volumes'
PROFILES = ('embedded', 'real')
LIMIT = (
    'One call: the list of what Cinder holds for the server. Without it '
    'nothing dangling would be found. As released, newer ones ask for '
    'every attachment on its own besides; older ones ask nothing, and find '
    'nothing. One statement more reads the last actions of the server, as a '
    'detach that failed is only there.')


def least(size, variant):
    """Return the counts that a variant cannot do without, a dict."""
    return {'cinder': 1}


def run(run):
    servers = {}
    for variant, deployment in variants.bases(run):
        servers[variant] = deployment.boot('bench-reboot')
    for count in variants.more_volumes(run, servers):
        for variant, deployment in run.alternate(variants.bases(run)):
            answer = deployment.act(
                servers[variant], 'ACTIVE', 'reboot', {'type': 'HARD'})
            run.add_requests(variant, count, deployment, [answer])
