# SPDX-License-Identifier: Apache-2.0

"""What the embedded cloud answers, asked by a stock openstacksdk."""

from openstack import exceptions as sdk_exceptions
import psutil
import requests

from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import guest
from nova_volops_plugin.sdk import waiting
from nova_volops_plugin.tests import command_line
from nova_volops_plugin.tests.functional.embedded import base

UNKNOWN = '00000000-0000-4000-8000-000000000000'


class RestTest(base.CloudTest):

    WHAT_RUNS = {'hosts': 2}

    def _wait_for_disks(self, server, wanted):
        # Nova may tell Cinder before the guest's definition is saved.
        waiting.until('%d disks' % wanted, lambda: wanted == len(
            guest.disks(self.cloud.domain_xml(server.id))), 30)

    def _attach(self, server, volume):
        self.openstack.compute.create_volume_attachment(
            server, volume_id=volume.id)
        self._wait(volume, 'in-use')

    def _post(self, path, **body):
        return self.openstack.block_storage.post(path, json=body)


@base.on_other_bases
class TestVolumes(RestTest):

    def test_attach_and_detach(self):
        for host in ('compute1', 'compute2'):
            self._attach_and_detach(host)

    def _attach_and_detach(self, host):
        volume = self._volume(name='disk')
        server = self._server(availability_zone='nova:' + host)
        self.assertEqual('ACTIVE', server.status)
        self._attach(server, volume)
        shown = self.openstack.block_storage.get_volume(volume.id)
        self.assertEqual([server.id],
                         [row['server_id'] for row in shown.attachments])
        disk = guest.disks(self.cloud.domain_xml(server.id))[-1]
        self.assertEqual((volume.id, 'vdb', False, False), (
            disk.serial, disk.device, disk.defined_readonly, disk.shareable))

        refused = self.openstack.block_storage.delete(
            '/volumes/' + volume.id)
        self.assertEqual(400, refused.status_code)
        self.openstack.compute.delete_volume_attachment(server, volume.id)
        self._wait(volume, 'available')
        self._wait_for_disks(server, 1)

    def test_status_decides(self):
        volume = self._volume()
        server = self._server()
        self.openstack.block_storage.reset_volume_status(
            volume, 'error', None, None)
        self.assertRaises(
            sdk_exceptions.BadRequestException,
            self.openstack.compute.create_volume_attachment,
            server, volume_id=volume.id)
        self.openstack.block_storage.reset_volume_status(
            volume, 'available', None, None)
        self._attach(server, volume)

    def test_bad_volumes(self):
        for fields, code in (
                ({'size': 0}, 400), ({'size': '1'}, 400),
                ({'size': True}, 400), ({}, 400),
                ({'size': 1, 'volume_type': 'fast'}, 404),
                ({'size': 1, 'imageRef': UNKNOWN}, 400),
                ({'size': 1, 'snapshot_id': UNKNOWN}, 400)):
            answer = self._post('/volumes', volume=fields)
            self.assertEqual(code, answer.status_code, fields)
            self.assertTrue(answer.json()['error']['message'])
        self.assertEqual(400, self._post('/volumes').status_code)
        self.assertEqual(404, self.openstack.block_storage.get(
            '/volumes/' + UNKNOWN).status_code)
        self.assertEqual(
            [], [volume for volume in self.openstack.block_storage.volumes()
                 if volume.size != 1])

    def test_attachment_lost(self):
        volume = self._volume()
        server = self._server()
        self._attach(server, volume)
        listed = self.openstack.block_storage.get(
            '/attachments', params={'instance_id': server.id},
            microversion='3.27').json()['attachments']
        self.assertEqual([volume.id], [row['volume_id'] for row in listed])
        path = '/attachments/' + listed[0]['id']
        self.assertEqual(200, self.openstack.block_storage.delete(
            path, microversion='3.27').status_code)
        self.assertEqual(404, self.openstack.block_storage.delete(
            path, microversion='3.27').status_code)
        self.assertEqual('available', self.openstack.block_storage.get_volume(
            volume.id).status)


class TestAddresses(RestTest):

    def _as_demo(self):
        endpoint = self.cloud._endpoint()
        environ = dict(self.cloud.environ(), OS_USERNAME='demo',
                       OS_PASSWORD=endpoint['passwords']['demo'])
        return base.client.connect(environ)

    def test_users(self):
        environ = self.cloud.environ()
        for wrong in ({'OS_PASSWORD': 'wrong'}, {'OS_USERNAME': 'nobody'},
                      {'OS_PROJECT_NAME': 'other'}):
            connection = base.client.connect(dict(environ, **wrong))
            self.assertRaises(
                sdk_exceptions.SDKException, connection.authorize)
        demo = self._as_demo()
        self.assertEqual(403, demo.compute.get('/os-services').status_code)
        self.assertEqual(
            403, demo.session.get(
                self.cloud._endpoint()['url'] + '/hypervisor/domains/' +
                UNKNOWN, raise_exc=False).status_code)
        volume = self._volume()
        self.assertEqual(403, demo.block_storage.post(
            '/volumes/%s/action' % volume.id,
            json={'os-reset_status': {'status': 'error'}}).status_code)
        self.assertEqual('available', self.openstack.block_storage.get_volume(
            volume.id).status)

    def test_token_needed(self):
        url = self.cloud._endpoint()['url']
        for path in ('/compute/v2.1/servers', '/volume/v3/volumes',
                     '/image/v2/images', '/hypervisor/domains/x',
                     '/placement/resource_providers'):
            for headers in ({}, {'X-Auth-Token': 'guessed'}):
                answer = requests.get(url + path, headers=headers, timeout=30)
                self.assertEqual(401, answer.status_code, path)
        token = self.openstack.session.get_token()
        headers = {'X-Auth-Token': token, 'X-Subject-Token': token}
        requests.delete(self.cloud.environ()['OS_AUTH_URL'] + '/auth/tokens',
                        headers=headers, timeout=30)
        answer = requests.get(
            url + '/compute/v2.1/servers', headers=headers, timeout=30)
        self.assertEqual(401, answer.status_code)

    def test_services(self):
        self.assertEqual(
            [('nova-compute', 'compute1', 'up'),
             ('nova-compute', 'compute2', 'up'),
             ('nova-conductor', 'conductor', 'up'),
             ('nova-scheduler', 'scheduler', 'up')],
            sorted((service.binary, service.host, service.state)
                   for service in self.openstack.compute.services()))
        providers = self.openstack.placement.get(
            '/resource_providers').json()['resource_providers']
        self.assertEqual(['compute1', 'compute2'],
                         sorted(provider['name'] for provider in providers))

    def test_nothing_leaks(self):
        self.openstack.compute.get('/servers')
        endpoint = self.cloud._endpoint()
        secrets = [*endpoint['passwords'].values(),
                   self.openstack.session.get_token()]
        process = self.cloud._process()
        listening = [connection.laddr.ip for connection
                     in process.net_connections('inet')
                     if connection.status == psutil.CONN_LISTEN]
        self.assertEqual({'127.0.0.1'}, set(listening))
        folder = self.state.cloud('embedded')
        told = {path.name: path.read_text(errors='replace')
                for path in folder.rglob('*')
                if path.is_file() and path.name != 'endpoint.json'}
        self.assertTrue(any('GET /compute' in text or 'GET /v2.1' in text
                            for text in told.values()), sorted(told))
        self.assertEqual([], [name for name, text in told.items()
                              if any(secret in text for secret in secrets)])

    def test_unknown_addresses(self):
        url = self.cloud._endpoint()['url']
        self.assertEqual(
            404, requests.get(url + '/telemetry', timeout=30).status_code)
        answer = self.openstack.block_storage.get('/backups')
        self.assertEqual(404, answer.status_code)
        answer = self.openstack.block_storage.delete('/types')
        self.assertEqual(405, answer.status_code)

    def _xml(self, name):
        """Return the exit code of the command, its stdout and stderr."""
        return command_line.run(
            self.state.path, 'cloud', 'console', '--xml', name)

    def test_definition_of_a_named_guest(self):
        server = self._server()
        code, xml, _err = self._xml('server')
        self.assertEqual(
            (0, self.cloud.domain_xml(server.id).strip()), (code, xml.strip()))
        self.assertIn('<uuid>%s</uuid>' % server.id, xml)
        error = self.assertRaises(
            exceptions.BadInput, self.cloud.console, server.id)
        self.assertIn('--xml', str(error))
        self._server()
        for name, words in (('server', "2 servers are named 'server'"),
                            ('serve', "no server 'serve'"),
                            (UNKNOWN, 'has no guest')):
            code, out, err = self._xml(name)
            self.assertEqual((2, ''), (code, out))
            self.assertIn(words, err)
