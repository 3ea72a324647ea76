# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""What no OpenStack API shows: the definitions of the guests."""

from embedded_nova import web


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
