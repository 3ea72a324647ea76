# SPDX-License-Identifier: Apache-2.0

"""A server without volumes is migrated while it is off, and that confirmed."""

from nova_volops_plugin.lab.bench import variants

NAME = 'migrate'
TITLE = 'Cold migration of a server without volumes'
AXIS = 'servers'
PROFILES = ('embedded',)
LIMIT = 'Nothing: both do the same.'


def run(run):
    servers = {variant: deployment.boot('bench-migrate')
               for variant, deployment in variants.bases(run)}
    for variant, deployment in run.alternate(variants.bases(run)):
        answers = [
            deployment.act(servers[variant], 'VERIFY_RESIZE', 'migrate'),
            deployment.act(servers[variant], 'ACTIVE', 'confirmResize')]
        run.add_requests(variant, 1, deployment, answers, in_series=True)
