# SPDX-License-Identifier: Apache-2.0

import pathlib

import fixtures
import testtools

from nova_volops_plugin.lab.bench import real

# As the services log them, but for their users' ids.
CINDER = '''\
2026-11-22 00:52:25.615 28172 INFO cinder.api.openstack.wsgi [req-4bd5cd9b \
req-e3e83c97 b12e 19bf - - default default] POST \
http://127.0.0.1:21004/v3/attachments
2026-11-22 00:52:25.683 28172 INFO cinder.api.openstack.wsgi [req-4bd5cd9b \
req-e3e83c97 b12e 19bf - - default default] \
http://127.0.0.1:21004/v3/attachments returned with HTTP 200
2026-11-22 00:52:25.700 28172 INFO cinder.api.openstack.wsgi [req-4bd5cd9b \
req-e3e83c98 b12e 19bf - - default default] GET http://127.0.0.1:21004/v3/
2026-11-22 00:52:26.554 28172 INFO cinder.api.openstack.wsgi [req-4bd5cd9b \
req-fbd6c5e5 b12e 19bf - - default default] PUT http://127.0.0.1:21004/v3/\
19bf015fdf7e48f3a6448bbce4b9eae1/attachments/\
210aaebd-d4ff-40ed-8b17-5ed147f5044c?x=1
2026-11-22 00:52:26.995 28172 INFO cinder.api.openstack.wsgi [req-4bd5cd9b \
req-fbd6c5e5 b12e 19bf - - default default] http://127.0.0.1:21004/v3/\
attachments/210aaebd-d4ff-40ed-8b17-5ed147f5044c returned with HTTP 409
2026-11-22 00:52:27.854 28172 INFO cinder.api.openstack.wsgi [req-c6d6ea35 \
req-4bd5cd9b b12e 19bf - - default default] DELETE \
http://127.0.0.1:21004/v3/attachments/210aaebd-d4ff-40ed-8b17-5ed147f5044c
'''
PLACEMENT = '''\
2026-11-22 00:52:11.471 28063 INFO placement.requestlog [req-4bd5cd9b \
req-2b0362ba f5b4 1f6a - - default default] 127.0.0.1 \
"GET /resource_providers?in_tree=27ef7531-4a47-4185-a555-7c455f6f98ac" \
status: 200 len: 26 microversion: 1.14
'''


class CallsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.logs = {'cinder-api': folder / 'c', 'placement': folder / 'p'}
        self.logs['cinder-api'].write_text(CINDER)
        self.logs['placement'].write_text(PLACEMENT)

    def test_of_a_request(self):
        self.assertEqual({
            'cinder': {'POST /attachments': 1, 'PUT /attachments/ID': 1},
            'refused': {'HTTP 409': 1},
            'placement': {'GET /resource_providers': 1},
        }, real.calls(self.logs, 'req-4bd5cd9b'))

    def test_of_another(self):
        self.assertEqual(
            {'DELETE /attachments/ID': 1},
            real.calls(self.logs, 'req-c6d6ea35')['cinder'])
        self.assertEqual(
            {'cinder': {}, 'refused': {}, 'placement': {}},
            real.calls(self.logs, 'req-e3e83c97'))
