# SPDX-License-Identifier: Apache-2.0

"""A volume swap of an offloaded server."""

from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

NAME = 'swap'
TITLE = 'Another volume for an offloaded server'
AXIS = 'volumes'
PROFILES = ('embedded', 'real')
SWAP = 'swap'
DETACH = 'detach and attach'
LIMIT = (
    'Both look at the two volumes, reserve and complete the new attachment '
    'and delete the old one: five calls. The swap also looks at both once '
    'more when the new one is reserved: one that Cinder migrates must not be '
    'swapped. '
    'What it saves is a request, half of the '
    'statements, and the time in which the server has neither volume.')


def least(size, variant):
    """Return the counts that a variant cannot do without, a dict."""
    return {'cinder': 7 if variant == SWAP else 5}


def run(run):
    deployment = run.testbed.deployment()
    version = microversions.of(run.testbed.base.name, 'shelved')
    server = deployment.boot_offloaded('bench-swap')
    now, then = (deployment.create_volume('bench-' + name)
                 for name in ('old', 'new'))
    deployment.attach(server, now, version)
    variants = {
        SWAP: lambda: [
            calls.swap(server, now, then, copy_data=False)],
        DETACH: lambda: [calls.detach(server, now),
                         calls.attach(server, then)]}
    for variant in run.alternate(variants):
        answers = []
        for call in variants[variant]():
            answers.append(deployment.do(call, version))
            if call.method == 'DELETE':
                deployment.wait_for_volume(now, 'available')
        deployment.wait_for_volume(now, 'available')
        run.add_requests(variant, 1, deployment, answers, in_series=True)
        now, then = then, now
