# SPDX-License-Identifier: Apache-2.0

"""Requests to a cloud, each printed as one line."""

import dataclasses
import json
import textwrap

from keystoneauth1 import exceptions as session_exceptions
from openstack import exceptions as sdk_exceptions

from nova_volops_plugin.cloud import client
from nova_volops_plugin import exceptions
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import waiting

# A guest without KVM on a busy machine takes minutes to boot.
WAIT_SECONDS = 300
MESSAGE_WIDTH = 100


@dataclasses.dataclass(frozen=True)
class Answer:
    """An answer of an API.

    :param code: the HTTP status
    :param body: the decoded JSON, an empty dict when there is none
    :param request_id: what the service calls the request, None if nothing
    """

    code: int
    body: dict
    request_id: str | None = None

    @property
    def ok(self):
        """Whether the request was accepted."""
        return self.code < 400

    def __str__(self):
        text = str(self.code)
        if not self.ok:
            for value in self.body.values():
                if isinstance(value, dict) and 'message' in value:
                    text += ' ' + textwrap.shorten(
                        value['message'], MESSAGE_WIDTH, placeholder=' …')
        return text


class Rest:
    """A cloud's APIs.

    :param cloud: a :class:`nova_volops_plugin.cloud.base.Cloud` that is up
    :param show: called with one line of the story at a time
    :cvar poll_seconds: how long it waits at most until it looks again
    """

    poll_seconds = waiting.LAST_POLL_SECONDS

    def __init__(self, cloud, show=lambda line: None):
        self.cloud = cloud
        self._show = show
        self._connection = client.connect(cloud.environ())
        self._service = client.connect_as_service(
            cloud.environ(), cloud.service_environ())
        self._names = {}

    def call(self, method, path, body=None, version=None, service='compute',
             as_service=False):
        """Send a request, show its line, return the :class:`Answer`.

        :param path: below the service's endpoint
        :param body: what is sent as JSON
        :param version: the microversion, for example ``2.105``
        :param service: ``compute``, ``block_storage`` or ``image``
        :param as_service: whether a service's token comes with the user's
        """
        return self.send(
            calls.Call(method, path, body), version, service, as_service)

    def send(self, call, version=None, service='compute', as_service=False):
        """Send a :class:`calls.Call`, as :meth:`call` does."""
        answer = self._answer(call, version, service, as_service)
        self._show('%s %s%s%s -> %s' % (
            call.method, self._named(call.path),
            ' [%s]' % version if version else '',
            ' ' + self._named(json.dumps(call.body)) if call.body else '',
            self._named(str(answer))))
        return answer

    def _send(self, method, path, body=None, version=None,
              service='compute', as_service=False):
        return self._answer(
            calls.Call(method, path, body), version, service, as_service)

    def _answer(self, call, version, service, as_service):
        connection = self._service if as_service else self._connection
        try:
            response = call.send(getattr(connection, service), version)
        except session_exceptions.ClientException as error:
            raise exceptions.VolopsError(
                '%s %s: %s' % (call.method, call.path, error)) from error
        try:
            content = response.json()
        except ValueError:
            content = {}
        return Answer(response.status_code, content,
                      response.headers.get('x-openstack-request-id'))

    def _named(self, text):
        for uuid, name in self._names.items():
            text = text.replace(uuid, name)
        return text

    def wait(self, what, look, seconds=WAIT_SECONDS):
        """Call a function until it returns something true; return that.

        :param what: what is waited for, for the error
        :raises VolopsError: it did not come in time
        """
        try:
            return waiting.until(what, look, seconds, self.poll_seconds)
        except sdk_exceptions.ResourceTimeout as error:
            raise exceptions.VolopsError(self._named(str(error))) from None
