# SPDX-License-Identifier: Apache-2.0

"""The samples of the API reference are what the patched Nova answers.

With NOVA_VOLOPS_WRITE_TRANSCRIPTS in the environment, what it answers is
written into the samples.
"""

import json
import os
import pathlib
import re

from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import operations
from nova_volops_plugin.sdk import waiting
from nova_volops_plugin.tests import documents
from nova_volops_plugin.tests.functional.embedded import base

SAMPLES = documents.TOP / 'api-ref/source/samples'
EXAMPLE = 'http://openstack.example.com'
# What differs from answer to answer.
CHANGING = (
    (documents.UUID, 'UUID'),
    (re.compile(r'\d{4}-\d\d-\d\dT[\d:.]+Z?'), 'TIME'),
    (re.compile(r'"hostId": "[0-9a-f]*"'), '"hostId": "HOST"'),
    (re.compile(r'"adminPass": "\w+"'), '"adminPass": "PASSWORD"'),
    (re.compile(r'http://127\.0\.0\.1:\d+/compute'), EXAMPLE),
)


def _constant(text):
    for pattern, name in CHANGING:
        text = pattern.sub(name, text)
    content = json.loads(text)
    # Nova lists them in no order.
    content.get('volumeAttachments', []).sort(key=lambda row: row['device'])
    return content


class TestSamples(base.CloudTest):

    def setUp(self):
        super().setUp()
        self.volumes = operations.VolumeOperations(self.openstack)
        self.version = self.volumes.discovery.require('shelved')
        self.old, self.new = [
            image.id for image in self.openstack.image.images()
            if image.disk_format in ('raw', 'qcow2')][:2]

    def _send(self, call):
        response = call.send(self.openstack.compute, self.version)
        self.assertIn(response.status_code, (200, 202), response.text)
        return response

    def _send_sample(self, name, make, **values):
        """Send a sample with ids that exist; return the answer.

        :param make: given the sample's inside; returns the Call
        :param values: what is put in place of the fields of a name
        """
        content = json.loads((SAMPLES / name).read_text())
        key, = content

        def put(node):
            if isinstance(node, list):
                return [put(each) for each in node]
            if isinstance(node, dict):
                return {name: values.get(name, put(each))
                        for name, each in node.items()}
            return node

        inside = put(content)
        call = make(dict(inside[key]))
        # The call is what the library sends, the sample what one reads.
        self.assertEqual(inside, call.body)
        return self._send(call)

    def _check(self, name, response):
        text = response.text
        path = SAMPLES / name
        if documents.WRITE in os.environ:
            text = CHANGING[-1][0].sub(EXAMPLE, text)
            path.write_text(json.dumps(json.loads(text), indent=4) + '\n')
        self.assertEqual(_constant(path.read_text()), _constant(text))

    def _volume(self, **fields):
        return self.openstack.block_storage.create_volume(
            size=1, **fields).id

    def _server(self, **fields):
        server, = self.volumes.create_servers('sample', '1', 'none', **fields)
        return self.volumes.wait_for_server(server.id, 'ACTIVE').id

    def test_attachments(self):
        server = self._server(imageRef=self.old)
        writable, readable, other = (self._volume() for _ in range(3))
        self.volumes.attach(server, writable, wait=60)
        self._send_sample(
            'attach-volume-to-server-req.json',
            lambda inside: calls.attach(
                server, inside.pop('volumeId'), **inside), volumeId=readable)
        waiting.until(
            'attachment', lambda: self.openstack.block_storage.get_volume(
                readable).status == 'in-use')
        attachments = calls.attachments(server)
        self._check('list-volume-attachments-resp.json',
                    self._send(attachments))
        self._check('volume-attachment-detail-resp.json', self._send(
            calls.Call('GET', '%s/%s' % (attachments.path, readable))))

        self._send(calls.action(server, 'shelve'))
        self.volumes.wait_for_server(server, 'SHELVED')
        self._send(calls.action(server, 'shelveOffload'))
        self.volumes.wait_for_server(server, 'SHELVED_OFFLOADED')
        self._send_sample(
            'swap-volume-req.json',
            lambda inside: calls.swap(
                server, readable, inside.pop('volumeId'), **inside),
            volumeId=other)

    def test_create(self):
        shared = self._volume(volume_type='multiattach', image_id=self.old)
        response = self._send_sample(
            'server-create-req.json',
            lambda inside: calls.create_server(
                inside.pop('name'), inside.pop('flavorRef'),
                inside.pop('networks'), **inside),
            flavorRef='1', uuid=shared)
        self._check('server-create-resp.json', response)

    def test_rebuild(self):
        root = self._volume(image_id=self.old)
        server = self._server(block_device_mapping_v2=[
            calls.volume_device(root, boot_index=0)])
        self._send_sample(
            'server-action-rebuild-req.json',
            lambda inside: calls.rebuild(server, inside['imageRef']),
            imageRef=self.new)

    def test_all_are_checked(self):
        text = pathlib.Path(__file__).read_text()
        self.assertEqual([], [
            path.name for path in SAMPLES.glob('*.json')
            if "'%s'" % path.name not in text])
