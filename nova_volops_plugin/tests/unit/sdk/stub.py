# SPDX-License-Identifier: Apache-2.0

"""A compute API that knows attach_mode from a version on, or never."""

import json
import re
import types

import fixtures
import openstack
import requests_mock as requests_mocker
from requests_mock.contrib import fixture
import testtools

from nova_volops_plugin.sdk import discovery

URL = 'http://compute.example.test/v2.1'
SERVER = 'a26887c6-c47b-4654-abb5-dfadf7d3f803'
VOLUME = 'b10b55ff-b89c-4c0c-b34e-f63a96e2c9ad'
REFUSALS = {
    True: "Invalid input for field/attribute attach_mode. Value: neither. "
          "'neither' is not one of ['ro', 'rw']",
    False: "Invalid input for field/attribute volumeAttachment. Value: {}. "
           "Additional properties are not allowed ('attach_mode' was "
           "unexpected)",
}
SWAP_REFUSALS = {
    True: "Invalid input for field/attribute copy_data. Value: neither. "
          "'neither' is not one of [True, False]",
    False: "Invalid input for field/attribute volumeAttachment. Value: "
           "{'copy_data': 'neither'}. Additional properties are not allowed "
           "('copy_data' was unexpected)",
}


class TestCase(testtools.TestCase):
    """A test with a cloud of answers that are told."""

    def setUp(self):
        super().setUp()
        self.mock = self.useFixture(fixture.Fixture())
        self.useFixture(fixtures.MockPatchObject(
            discovery.Discovery, '_found', {}))

    def connect(self, latest, knows_from=None, asked=None, swaps_from=None):
        """Return an openstack.connection.Connection.

        :param latest: the API's latest microversion, a tuple of int
        :param knows_from: the first that knows attach_mode, None for none
        :param asked: the microversion that the user asks for
        :param swaps_from: the first that knows copy_data
        """
        self.mock.get(URL, json={'version': {
            'id': 'v2.1', 'status': 'CURRENT', 'min_version': '2.1',
            'version': '%d.%d' % latest,
            'links': [{'rel': 'self', 'href': URL}]}})

        def refuse(request, context):
            version = tuple(map(int, re.search(
                r'2\.\d+', request.headers['OpenStack-API-Version']
            )[0].split('.')))
            context.status_code = 400
            known, messages = (
                (knows_from, REFUSALS) if request.method == 'POST'
                else (swaps_from, SWAP_REFUSALS))
            return {'badRequest': {'code': 400, 'message': messages[
                known is not None and version >= known]}}

        attachments = re.compile(
            URL + '/servers/0000.*/os-volume_attachments')
        self.mock.post(attachments, json=refuse)
        self.mock.put(attachments, json=refuse)
        return openstack.connect(
            load_yaml_config=False, load_envvars=False, auth_type='none',
            endpoint=URL, compute_endpoint_override=URL,
            compute_default_microversion=asked)

    def sent(self):
        """Return what was sent: method, path, version and body."""
        return [types.SimpleNamespace(
            method=request.method, path=request.path,
            version=request.headers.get('OpenStack-API-Version'),
            body=json.loads(request.text) if request.text else None)
            for request in self.mock.request_history]


ANY = requests_mocker.ANY
