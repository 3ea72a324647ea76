# SPDX-License-Identifier: Apache-2.0

"""Servers on one multiattach volume: one request, or several."""

import concurrent.futures

from nova_volops_plugin import exceptions
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import microversions

NAME = 'multi-create'
PLOT = True
TITLE = 'Servers on one multiattach volume'
AXIS = 'servers'
PROFILES = ('embedded', 'real')
# A real host of two processors has room for eight servers.
SIZES = {'embedded': (1, 2, 5, 10, 20), 'real': (1, 2, 5)}
ONE = 'one request'
SERIES = 'one after the other'
PARALLEL = 'all at once'
LIMIT = (
    'What the API asks for one request is one look at the volume and two '
    'calls for each server: a reservation, and its completion, without which '
    'Cinder refuses the next one. On the host an attach costs three more: a '
    'look at the volume, the connection and its end. A request for one server '
    'needs no completion of the reservation. Servers that are asked for all '
    'at once are rivals: while a host attaches the volume, Cinder refuses '
    'the others, for which the conductor asks again about once a second. '
    'What Nova asks Placement for grows with the square: as released, each '
    'claim on a host reads the allocations of all that are on it, and those '
    'of one request are all there from the beginning.')


def least(size, variant):
    """Return the counts that a variant cannot do without, a dict."""
    if variant == ONE and size > 1:
        return {'cinder': 1 + 5 * size}
    return {'cinder': 5 * size}


def run(run):
    deployment = run.testbed.deployment()
    with deployment.without_quotas():
        for count in run.sizes(*SIZES[run.testbed.profile]):
            for variant in run.alternate(VARIANTS, warm_up=count == 1):
                _measure(run, deployment, variant, count)


def _measure(run, deployment, variant, count):
    devices = [
        calls.image_device(deployment.image()),
        calls.volume_device(deployment.create_volume(
            'bench-shared', multiattach=True))]

    def create(number=1):
        return deployment.create_servers(
            'bench-multi', number, block_device_mapping_v2=devices,
            version=microversions.of(run.testbed.base.name, 'multi_create'))

    answers, servers = VARIANTS[variant](deployment, create, count)
    for answer in answers:
        deployment.entry(answer)
    active = sum(_is_active(deployment, server) for server in servers)
    run.add_requests(variant, count, deployment, answers,
                     in_series=variant == SERIES,
                     not_active=count - active)
    deployment.clean_up()


def _one_request(deployment, create, count):
    answers = [create(count)]
    return answers, _servers(deployment, answers)


def _in_series(deployment, create, count):
    answers, servers = [], []
    for _number in range(count):
        answer = create()
        answers.append(answer)
        servers += _servers(deployment, [answer])
        _is_active(deployment, servers[-1])
    return answers, servers


def _in_parallel(deployment, create, count):
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        answers = list(pool.map(lambda number: create(), range(count)))
    return answers, _servers(deployment, answers)


def _servers(deployment, answers):
    return [server for answer in answers if answer.ok
            for server in deployment.reserved(answer.body['reservation_id'])]


def _is_active(deployment, server):
    try:
        return bool(deployment.wait_for_server(server, 'ACTIVE'))
    except exceptions.VolopsError:
        return False


VARIANTS = {ONE: _one_request, SERIES: _in_series, PARALLEL: _in_parallel}
