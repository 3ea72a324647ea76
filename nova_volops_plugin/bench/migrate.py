# SPDX-License-Identifier: Apache-2.0

"""A server without volumes is migrated while it is off, and that confirmed."""

from nova_volops_plugin.bench import variants

NAME = 'migrate'
TITLE = 'Cold migration of a server without volumes'
AXIS = 'servers'
PROFILES = ('embedded',)
LIMIT = 'Nothing: both do the same.'


def run(run):
    servers = {way: site.boot('bench-migrate')
               for way, site in variants.bases(run)}
    for way, site in run.alternate(variants.bases(run)):
        answers = [
            site.act(servers[way], 'VERIFY_RESIZE', 'migrate'),
            site.act(servers[way], 'ACTIVE', 'confirmResize')]
        run.add_requests(way, 1, site, answers, in_series=True)
