# SPDX-License-Identifier: Apache-2.0

"""Sends requests to servers in several states, and finds changes."""

import json
import time

from inside_nova.embedded_nova import images
from inside_nova.fault_matrix import case as matrix_case
from inside_nova.fault_matrix import snapshot

from inside_nova.bad_input import requests
from inside_nova.bad_input import values

_PICK_UP_SECONDS = 0.3


def run(nova, random, number, changes, tell):
    """Prepare servers and volumes, send requests, clean up.

    :param nova: a :class:`cloud.MatrixNova`
    :param random: a :class:`random.Random`
    :param number: of requests at most
    :param changes: requests that may change something before this ends
    :param tell: called with the result of each request, a dict
    :returns: the number of requests
    """
    case = matrix_case.Case(nova)
    case.calls.pause()
    prepare(case)
    case.volume('larger', size=2)
    case.nova.rules.set_status(case.volume('broken'), 'error')
    known = [*case.servers.values(), *case.volumes.values(),
             images.IMAGE, images.OTHER_IMAGE, requests.UNKNOWN]
    source = requests.Requests(
        random, values.Values(random, known), list(case.servers.values()),
        list(case.volumes.values()))
    sent = 0
    before = state(case)
    while changes > 0 and sent < number:
        request = source.next()
        sent += 1
        code, said = send(case, *request)
        after = state(case)
        changed = after != before
        changes -= changed
        tell({'request': request, 'code': code, 'said': said,
              'changed': difference(before, after) if (
                  changed and code >= 400) else []})
        before = after
    _clean_up(case)
    return sent


def prepare(case, prefix='', admin=None):
    """Make volumes, and servers in several states.

    :param prefix: what the names of the parts they play begin with
    :param admin: a client of the API for what only administrators may do, by
        default the one that all is made with
    """
    running = [prefix + role for role in ('active', 'shelved', 'offloaded')]
    for role in (*running, prefix + 'spare'):
        case.volume(role)
    case.volume(prefix + 'shared', multiattach=True)
    root = prefix + 'root'
    case.root(root)
    for role, request in (
            *((role, case.boot_request(role)) for role in running),
            (root, case.boot_request(root=root))):
        answer = case.nova.call('POST', '/servers', request)
        case.require(answer, case.add_server(answer, role), 'active')
    for role in ('shelved', 'offloaded'):
        case.action(case.servers[prefix + role], 'shelve')
    case.nova.api = admin or case.nova.api
    case.action(case.servers[prefix + 'offloaded'], 'shelveOffload')


def send(case, microversion, method, path, body):
    """Return the status and the text of an answer."""
    api = case.nova.api
    api.microversion = microversion
    try:
        # Not every JSON value has an encoding as UTF-8.
        text = None if body is None else json.dumps(body)
        answer = api.api_request(path, method=method, body=text)
    finally:
        api.microversion = 'latest'
    if answer.status_code == 202:
        # Until a service picks the message up, nothing shows that it will.
        time.sleep(_PICK_UP_SECONDS)
    case.nova.wait('the requests to end',
                   lambda: case.is_idle() and not _is_attaching(case))
    return answer.status_code, answer.text[:300]


def _is_attaching(case):
    """Whether a volume is being attached, which has no attachment until then.

    Since microversion 2.101 no API waits for that.
    """
    return any(device.attachment is None
               for device in snapshot.Snapshot(case.nova).devices)


def state(case):
    """Return all that a request that is refused may not change."""
    now = snapshot.Snapshot(case.nova)
    # That something failed may be written down.
    now.servers = {
        uuid: server._replace(faults=0, errors=0)
        for uuid, server in now.servers.items()}
    return vars(now)


def difference(before, after):
    return ['%s: %s became %s' % (name, before[name], after[name])
            for name in before if before[name] != after[name]]


def _clean_up(case):
    nova = case.nova
    nova.api.microversion = 'latest'
    for server in nova.call('GET', '/servers?all_tenants=1').body['servers']:
        nova.call('POST', '/servers/%s/action' % server['id'],
                  {'os-resetState': {'state': 'active'}})
        nova.call('DELETE', '/servers/' + server['id'])
    nova.wait('the servers to be gone', lambda: not nova.call(
        'GET', '/servers?all_tenants=1').body['servers'])
    nova.reset()
