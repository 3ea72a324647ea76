# SPDX-License-Identifier: Apache-2.0

"""The outcome of a request that continues after the response."""

from openstack import exceptions

from nova_volops_plugin.sdk import calls

# The first version that says why something failed.
_DETAILS_VERSION = '2.84'


class Request:
    """An action on a server.

    :param compute: the compute proxy of an openstack.connection.Connection
    :param server: the server's UUID
    :param request: the id that the answer's ``x-openstack-request-id`` has
    """

    def __init__(self, compute, server, request):
        self._compute = compute
        self._call = calls.Call('GET', '/servers/%s/os-instance-actions/%s' % (
            server, request))
        self._text = 'request %s on server %s' % (request, server)

    def runs(self):
        """Whether something that it began goes on.

        :raises openstack.exceptions.ResourceFailure: it failed
        """
        return None in self._results()

    def has_ended(self):
        """Whether it began something, and all of that has ended.

        :raises openstack.exceptions.ResourceFailure: it failed
        """
        results = self._results()
        return bool(results) and None not in results

    def _results(self):
        response = self._call.send(self._compute, _DETAILS_VERSION)
        if response.status_code == 404:
            # An action may be recorded some time after the answer.
            return []
        exceptions.raise_from_response(response)
        events = response.json()['instanceAction']['events']
        for event in events:
            if event['result'] == 'Error':
                raise exceptions.ResourceFailure('%s failed: %s' % (
                    self._text, event.get('details') or event['event']))
        return [event['result'] for event in events]
