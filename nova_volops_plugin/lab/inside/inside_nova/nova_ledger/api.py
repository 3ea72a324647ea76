# SPDX-License-Identifier: Apache-2.0

"""The ledger over REST, for administrators."""

from inside_nova.embedded_nova import web


class Api(web.Router):
    """Tells what requests have cost.

    :param nova: an ``embedded_nova.services.EmbeddedNova``
    :param book: a :class:`nova_ledger.ledger.Ledger`
    """

    def __init__(self, nova, book):
        super().__init__()
        self._book = book
        self.add('GET', '/requests/(?P<request_id>[^/]+)', self._request)
        self.add('GET', '/guests/(?P<server>[^/]+)', self._guest)
        self.add('PUT', '/settings', self._set)

    def _request(self, request, request_id):
        web.administrators_only(request)
        found = self._book.view(request_id)
        if not found:
            raise web.Refusal(404, 'nothing was done for %s' % request_id)
        return 200, {'request': found}

    def _guest(self, request, server):
        web.administrators_only(request)
        return 200, {'guest': self._book.guest(server)}

    def _set(self, request):
        web.administrators_only(request)
        settings = web.json_of(request, 'settings')
        self._book.cinder_seconds = float(settings['cinder_seconds'])
        self._book.events = bool(settings['events'])
        return 200, {'settings': settings}
