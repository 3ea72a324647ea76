# SPDX-License-Identifier: Apache-2.0

"""Measures real clouds by the client's clock and the services' logs.

There are no two of them on a machine. So what is compared with the base as
released is a compute host that runs it, under controllers with the series.
"""

import collections
import re
import time

from nova_volops_plugin.cloud.real import profile
from nova_volops_plugin.lab.bench import embedded

HOSTS = {True: 'host1', False: 'host2'}
POLL_SECONDS = 0.2
# In which log, and how, it says what a request to Nova had a service do.
_TOLD = {
    'cinder': (
        'cinder-api',
        r'\[%s req-.*\] ([A-Z]+) \S+/v3(?:/[0-9a-f]{32})?(/[a-z]\S+)$'),
    'refused': (
        'cinder-api', r'\[%s req-.* returned with (HTTP) ([45]\d\d)$'),
    'placement': ('placement', r'\[%s req-.*\] \S+ "([A-Z]+) (/[a-z]\S+)" '),
}
_UUID = re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')


def cloud(state, base):
    """Return the cloud whose second host runs the base as released."""
    return profile.RealCloud(state, base, hosts=2, released_hosts=1)


def calls(logs, request):
    """Return what a request to Nova had others do.

    :param logs: the paths of the services' logs by their names
    :param request: the id of the request
    :returns: by kind a Counter of what was called
    """
    counts = {}
    for kind, (service, pattern) in _TOLD.items():
        text = logs[service].read_text(errors='replace')
        counts[kind] = collections.Counter(
            '%s %s' % (match[1], _UUID.sub('ID', match[2].partition('?')[0]))
            for match in re.finditer(
                pattern % re.escape(request), text, re.MULTILINE))
    return counts


class Deployment(embedded.Deployment):
    """A host of a cloud, and what is made on it.

    :param cloud: the cloud as of :func:`cloud`
    :param patched: whether it is the host with the series
    """

    poll_seconds = POLL_SECONDS

    def __init__(self, cloud, patched):
        super().__init__(cloud)
        self._host = HOSTS[patched]
        self._times = {}
        self._newest = None

    def set_up(self, cinder_seconds=None, events=True):
        """Leave Cinder as it is."""

    def create_server(self, name, *args, **fields):
        return super().create_server(
            name, *args, availability_zone='nova:' + self._host, **fields)

    def send(self, call, *args, **kwargs):
        began = time.time()
        answer = super().send(call, *args, **kwargs)
        self._newest = answer.request_id
        self._times[self._newest] = {
            'began': began, 'answered': time.time(), 'last': time.time()}
        return answer

    def wait(self, what, look, **kwargs):
        found = super().wait(what, look, **kwargs)
        # What is waited for comes of the request that was sent last.
        if self._newest:
            self._times[self._newest]['last'] = time.time()
        return found

    def entry(self, answer):
        """Return what the request of an answer has cost.

        :returns: a dict as of the one of an embedded cloud; the times are
            seconds since the epoch, as the client saw it
        """
        return {**self._times[answer.request_id],
                'counts': calls(self.cloud.logs(), answer.request_id)}
