# SPDX-License-Identifier: Apache-2.0

"""Shows the guests' definitions, which no OpenStack API does."""

from inside_nova.embedded_nova import web


class Hypervisor(web.Router):
    """The domains of the fake libvirt, for administrators.

    :param nova: an :class:`services.EmbeddedNova`
    """

    def __init__(self, nova):
        super().__init__()
        self._nova = nova
        self.add('GET', '/domains/(?P<server>[^/]+)', self._show)

    def _show(self, request, server):
        web.administrators_only(request)
        xml = self._nova.domain_xml(server)
        if xml is None:
            raise web.Refusal(404, 'no guest of the server %s' % server)
        return 200, {'domain': {'id': server, 'xml': xml}}
