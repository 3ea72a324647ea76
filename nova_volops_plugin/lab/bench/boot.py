# SPDX-License-Identifier: Apache-2.0

"""A server without volumes is created: nobody pays for what it has not."""

from nova_volops_plugin.lab.bench import variants

NAME = 'boot'
TITLE = 'Boot of a server without volumes'
AXIS = 'servers'
PROFILES = ('embedded',)
LIMIT = 'Nothing: both do the same.'


def run(run):
    for variant, deployment in run.alternate(variants.bases(run)):
        answer = deployment.create_server('bench-boot')
        server = answer.body['server']['id']
        deployment.entry(answer)
        deployment.wait_for_server(server, 'ACTIVE')
        run.add_requests(variant, 1, deployment, [answer])
        deployment.clean_up()
