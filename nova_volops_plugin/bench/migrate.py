# SPDX-License-Identifier: Apache-2.0

"""A server without volumes is migrated while it is off, and that confirmed."""

from nova_volops_plugin.bench import variants

NAME = 'migrate'
TITLE = 'Cold migration of a server without volumes'
AXIS = 'servers'
PROFILES = ('embedded',)
LIMIT = 'Nothing: both do the same.'


def run(run):
    servers = {way: deployment.boot('bench-migrate')
               for way, deployment in variants.bases(run)}
    for way, deployment in run.alternate(variants.bases(run)):
        answers = [
            deployment.act(servers[way], 'VERIFY_RESIZE', 'migrate'),
            deployment.act(servers[way], 'ACTIVE', 'confirmResize')]
        run.add_requests(way, 1, deployment, answers, in_series=True)
