# SPDX-License-Identifier: Apache-2.0

"""Embedded clouds with a ledger."""

import contextlib
import functools
import time

from nova_volops_plugin.cloud import client
from nova_volops_plugin.cloud.embedded import cloud
from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import resources
from nova_volops_plugin.sdk import calls

# Nothing more is done for a request when nothing was for so long.
QUIET_SECONDS = 0.25
SETTLE_SECONDS = 300
CINDER_SECONDS = 0.02
# All bases know it as released, and it takes servers that are offloaded.
ATTACH_VERSION = '2.79'
QUOTAS = ('instances', 'cores', 'ram')


class MeasuredCloud(cloud.EmbeddedCloud):
    """An embedded cloud that counts; it runs besides the one of the user."""

    extensions = ('inside_nova.nova_ledger',)

    @property
    def _folder(self):
        return self.state.cloud('bench-%s-%s' % (
            self.base, 'patched' if self.patched else 'released'))

    @functools.cached_property
    def _session(self):
        return client.connect(self.environ()).session

    def ledger(self, method, path, body=None):
        """Ask the ledger; return the decoded answer, None for a 404.

        :raises VolopsError: it refuses
        """
        answer = self._session.request(
            '%s/ledger/%s' % (self._endpoint()['url'], path), method,
            json=body, raise_exc=False)
        if answer.status_code == 404:
            return None
        if answer.status_code != 200:
            raise exceptions.VolopsError(
                'the ledger of the cloud answers %d: %s' %
                (answer.status_code, answer.text))
        return answer.json()


class Deployment(resources.Resources):
    """A measured cloud and what is made in it."""

    def set_up(self, cinder_seconds=CINDER_SECONDS, events=True):
        """Say how Cinder behaves.

        :param cinder_seconds: how long each call takes, a float
        :param events: whether its events arrive at Nova
        """
        self.cloud.ledger('PUT', 'settings', {'settings': {
            'cinder_seconds': cinder_seconds, 'events': events}})

    def do(self, call, version=None):
        """Send a request that must be accepted; return the Answer.

        :raises VolopsError: it is refused
        """
        return _accepted(call, self.send(call, version))

    def attach(self, server, volume, version=ATTACH_VERSION, **fields):
        """Attach a volume, as the one of Resources does.

        :raises VolopsError: it is refused
        """
        return _accepted(calls.attach(server, volume), super().attach(
            server, volume, version, **fields))

    def act(self, server, status, name, arguments=None):
        """Have something done to a server, and wait until it is.

        :param status: what the server's is then
        :param name: of the action, see :func:`calls.action`
        :returns: the Answer
        """
        answer = self.do(calls.action(server, name, arguments))
        # To ask the ledger costs Nova nothing.
        self.entry(answer)
        self.wait_for_server(server, status)
        return answer

    def boot_offloaded(self, name):
        """Return the UUID of a new server that is on no host."""
        server = self.boot(name)
        self.offload(server)
        return server

    def offload(self, server):
        """Take a server from its host."""
        self.act(server, 'SHELVED', 'shelve')
        self.act(server, 'SHELVED_OFFLOADED', 'shelveOffload')

    @contextlib.contextmanager
    def without_quotas(self):
        """Let the user have any number of servers, for as long as it lasts.

        :raises VolopsError: that is refused
        """
        path = '/os-quota-sets/' + self._connection.current_project_id
        before = self.do(calls.Call('GET', path)).body['quota_set']

        def put(limits):
            self.do(calls.Call('PUT', path, {'quota_set': limits}))

        put(dict.fromkeys(QUOTAS, -1))
        try:
            yield
        finally:
            put({name: before[name] for name in QUOTAS})

    def entry(self, answer):
        """Return what the request of an answer has cost, when it is done.

        :returns: a dict as of ``nova_ledger.ledger.Entry``
        :raises VolopsError: it is never done
        """
        deadline = time.monotonic() + SETTLE_SECONDS
        last = None
        while time.monotonic() < deadline:
            entry = self.cloud.ledger(
                'GET', 'requests/' + answer.request_id)['request']
            if not entry['running'] and entry['last'] == last:
                return entry
            last = entry['last']
            time.sleep(QUIET_SECONDS)
        raise exceptions.VolopsError(
            'request %s is not done after %d s' %
            (answer.request_id, SETTLE_SECONDS))


def _accepted(call, answer):
    if not answer.ok:
        raise exceptions.VolopsError('%s %s is answered with %s' % (
            call.method, call.path, answer))
    return answer
