# SPDX-License-Identifier: Apache-2.0

"""Requests to the parts of the API that the series changes."""

import importlib
import re

from nova.api.openstack import api_version_request

from inside_nova.embedded_nova import images

UNKNOWN = '00000000-0000-4000-8000-000000000000'
_SCHEMAS = 'nova.api.openstack.compute.schemas.'


def _newest(module, name):
    """Return the schema of the last microversion, a dict."""
    module = importlib.import_module(_SCHEMAS + module)
    found = {0: name}
    for other in vars(module):
        if version := re.fullmatch(name + r'_v2(\d+)', other):
            found[int(version[1])] = other
    return getattr(module, found[max(found)])


def _volumes(name):
    try:
        return _newest('volume_attachments', name)
    except ImportError:
        # Older ones have them in the module of nova-volume's days.
        return _newest('volumes', name + '_volume_attachment')


class Requests:
    """Makes requests, the same for the same random numbers.

    :param random: a :class:`random.Random`
    :param make: a :class:`values.Values`
    :param servers: UUIDs of servers, a list
    :param volumes: UUIDs of volumes, a list
    """

    def __init__(self, random, make, servers, volumes):
        self._random = random
        self._make = make
        self._servers = servers + [UNKNOWN]
        self._volumes = volumes + [UNKNOWN]
        latest = api_version_request.max_api_version()
        minor = latest.ver_minor
        self._microversions = ['2.%d' % version for version in (
            minor, minor, minor, minor - 1, minor - 2, 60, 1)]
        self._schemas = {
            'create': _newest('servers', 'create'),
            'rebuild': _newest('servers', 'rebuild'),
            'events': _newest('server_external_events', 'create'),
            'attach': _volumes('create'),
            'swap': _volumes('update'),
        }

    def next(self):
        """Return microversion, method, path and body of a request."""
        path, method, body = getattr(self, '_' + self._random.choice((
            'create', 'rebuild', 'events', 'attach', 'attach', 'swap',
            'swap', 'show', 'detach')))()
        if body is not None and self._random.random() < 0.6:
            body = self._make.spoilt(body)
        return self._random.choice(self._microversions), method, path, body

    def _server(self):
        return '/servers/' + self._random.choice(self._servers)

    def _attachment(self):
        return '%s/os-volume_attachments/%s' % (
            self._server(), self._random.choice(
                self._volumes + ['x', '%00', '..%2f..', 'a' * 300]))

    def _create(self):
        body = self._make.fitting(self._schemas['create'])
        # As drawn it would mostly fail for reasons that nobody changed.
        body['server'] = {
            'name': 'bad', 'flavorRef': '1', 'networks': 'none',
            'imageRef': images.IMAGE,
            'block_device_mapping_v2': [{
                'source_type': 'image', 'destination_type': 'local',
                'boot_index': 0, 'uuid': images.IMAGE}] + [
                    self._device() for _ in range(self._random.randint(1, 3))]}
        if self._random.random() < 0.5:
            body['server']['max_count'] = 2
        return '/servers', 'POST', body

    def _device(self):
        if self._random.random() < 0.2:
            return self._make.fitting(
                self._schemas['create']['properties']['server']['properties'][
                    'block_device_mapping_v2']['items'])
        device = {
            'source_type': 'volume', 'destination_type': 'volume',
            'uuid': self._random.choice(self._volumes), 'boot_index': -1}
        for name, values in (
                ('attach_mode', ('ro', 'rw')), ('tag', ('a', 'b')),
                ('disk_bus', ('ide', 'virtio', 'scsi', 'sata', 'fdc')),
                ('device_type', ('disk', 'cdrom', 'lun')),
                ('delete_on_termination', (True, False)),
                ('destination_type', ('local', 'volume')),
                ('source_type', ('blank', 'volume', 'snapshot', 'image'))):
            if self._random.random() < 0.25:
                device[name] = self._random.choice(values)
        return device

    def _rebuild(self):
        body = {'rebuild': {'imageRef': self._random.choice(
            (images.IMAGE, images.OTHER_IMAGE, UNKNOWN))}}
        if self._random.random() < 0.3:
            body = self._make.fitting(self._schemas['rebuild'])
        return self._server() + '/action', 'POST', body

    def _events(self):
        return ('/os-server-external-events', 'POST', {'events': [
            {'name': self._random.choice((
                'volume-reimaged', 'volume-extended', 'network-changed')),
             'server_uuid': self._random.choice(self._servers),
             'status': 'completed',
             'tag': self._random.choice(self._volumes)}
            for _ in range(self._random.randint(1, 3))]})

    def _attach(self):
        body = self._make.fitting(self._schemas['attach'])
        body['volumeAttachment']['volumeId'] = self._random.choice(
            self._volumes)
        return self._server() + '/os-volume_attachments', 'POST', body

    def _swap(self):
        body = self._make.fitting(self._schemas['swap'])
        body['volumeAttachment']['volumeId'] = self._random.choice(
            self._volumes)
        return self._attachment(), 'PUT', body

    def _show(self):
        if self._random.random() < 0.5:
            return self._attachment(), 'GET', None
        return '%s/os-volume_attachments?limit=%s&offset=%s' % (
            self._server(), *(self._random.choice(
                ('0', '1', '-1', 'x', '9' * 30, '', '%00'))
                for _ in range(2))), 'GET', None

    def _detach(self):
        return self._attachment(), 'DELETE', None
