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
"""What a scenario has in hand: REST, the hypervisor's view, its claims."""

import dataclasses
import json
import textwrap
import time

from nova_volops_plugin.cloud import client
from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import claims
from nova_volops_plugin.scenarios import guest
from nova_volops_plugin.scenarios import microversions

WAIT_SECONDS = 120
POLL_SECONDS = 0.2
MESSAGE_WIDTH = 100
STUCK = ('attaching', 'detaching', 'downloading', 'reserved')


@dataclasses.dataclass(frozen=True)
class Answer:
    """An answer of an API.

    :param code: the HTTP status
    :param body: the decoded JSON, an empty dict when there is none
    """

    code: int
    body: dict

    @property
    def ok(self):
        """Whether the request was accepted."""
        return self.code < 400

    def __str__(self):
        text = str(self.code)
        if not self.ok:
            for value in self.body.values():
                if isinstance(value, dict) and 'message' in value:
                    text += ' ' + textwrap.shorten(
                        value['message'], MESSAGE_WIDTH, placeholder=' …')
        return text


class Context:
    """Handed to each scenario.

    :param cloud: a :class:`nova_volops_plugin.cloud.base.Cloud` that is up
    :param show: called with one line of the story at a time
    """

    def __init__(self, cloud, show=lambda line: None):
        self.cloud = cloud
        self.claims = []
        self.scenario = None
        self._show = show
        self._connection = client.connect(cloud.environ())
        self._names = {}
        self._made = []

    def version(self, feature):
        """Return the feature's compute API version on this cloud's base."""
        return microversions.of(self.cloud.base, feature)

    def tell(self, text):
        """Show a sentence of the story."""
        self._show(text)

    def claim(self, text, holds, evidence):
        """Record whether something is as it ought to be.

        :param text: what ought to be true
        :param holds: whether it is
        :param evidence: what was seen; shown with str()
        """
        self._record(
            text, claims.PASSED if holds else claims.FAILED, evidence)

    def skip(self, text, missing):
        """Record that a claim cannot be checked here.

        :param missing: what this cloud lacks
        """
        self._record(text, claims.SKIPPED, missing)

    def _record(self, text, outcome, evidence):
        claim = claims.Claim(
            self.scenario, text, outcome, self._named(str(evidence)))
        self.claims.append(claim)
        self._show('   %s: %s (%s)' % (outcome, text, claim.evidence))

    # REST.

    def call(self, method, path, body=None, version=None, service='compute'):
        """Send a request, show its line, return the :class:`Answer`.

        :param path: below the service's endpoint
        :param body: what is sent as JSON
        :param version: the microversion, for example ``2.105``
        :param service: ``compute``, ``block_storage`` or ``image``
        """
        answer = self._send(method, path, body, version, service)
        self._show('%s %s%s%s -> %s' % (
            method, self._named(path), ' [%s]' % version if version else '',
            ' ' + self._named(json.dumps(body)) if body else '',
            self._named(str(answer))))
        return answer

    def _send(self, method, path, body=None, version=None,
              service='compute'):
        response = getattr(self._connection, service).request(
            path, method, json=body, microversion=version, raise_exc=False)
        try:
            content = response.json()
        except ValueError:
            content = {}
        return Answer(response.status_code, content)

    def _named(self, text):
        for uuid, name in self._names.items():
            text = text.replace(uuid, name)
        return text

    def wait(self, what, look, seconds=WAIT_SECONDS):
        """Call a function until it returns something true; return that.

        :param what: what is waited for, for the error
        :raises VolopsError: it did not come in time
        """
        deadline = time.monotonic() + seconds
        while True:
            found = look()
            if found:
                return found
            if time.monotonic() > deadline:
                raise exceptions.VolopsError(
                    'after %d s still no %s' % (seconds, self._named(what)))
            time.sleep(POLL_SECONDS)

    # What a user has.

    def create_server(self, name, image=True, version='2.37', **fields):
        """Ask for a server without networks; return the :class:`Answer`.

        :param name: of the server, shown in place of its UUID from then on
        :param image: whether it boots from the cloud's image
        :param version: the microversion, at least 2.37
        :param fields: more fields of the server
        """
        server = dict(
            fields, name=name, flavorRef=self._flavor(), networks='none')
        if image:
            server['imageRef'] = self.image()
        answer = self.call('POST', '/servers', {'server': server}, version)
        if 'server' in answer.body:
            self.remember('server', answer.body['server']['id'], name)
        return answer

    def attach(self, server, volume, version=None, **fields):
        """Ask to attach a volume; once accepted, wait until it is in use.

        :param fields: more fields of the attachment
        :returns: an :class:`Answer`
        """
        answer = self.call(
            'POST', '/servers/%s/os-volume_attachments' % server,
            {'volumeAttachment': dict(fields, volumeId=volume)}, version)
        if answer.ok:
            self.wait_for_volume(volume, 'in-use')
        return answer

    def create_servers(self, name, count, **fields):
        """Ask for several servers with one request; see create_server.

        :returns: an :class:`Answer` with a ``reservation_id``
        """
        return self.create_server(
            name, min_count=count, max_count=count,
            return_reservation_id=True, **fields)

    def reserved(self, reservation):
        """Return the UUIDs of the servers of a reservation."""
        servers = self._send(
            'GET', '/servers/detail?reservation_id=' + reservation
        ).body['servers']
        for server in servers:
            self.remember('server', server['id'], server['name'])
        return [server['id'] for server in servers]

    def image_root(self):
        """Return the block device of a local root disk with the image."""
        return {'boot_index': 0, 'source_type': 'image',
                'uuid': self.image(), 'destination_type': 'local',
                'delete_on_termination': True}

    def boot(self, name, **fields):
        """Return the UUID of a new server that is ACTIVE.

        :raises VolopsError: it is refused, or does not get there
        """
        answer = self.create_server(name, **fields)
        if not answer.ok:
            raise exceptions.VolopsError('no server: %s' % answer)
        server = answer.body['server']['id']
        self.wait_for_server(server, 'ACTIVE')
        return server

    def server(self, server, version='2.37'):
        """Return a server as the API shows it, None when there is none."""
        return self._send('GET', '/servers/' + server, version=version
                          ).body.get('server')

    def wait_for_server(self, server, *statuses):
        """Wait until a server has a status and no task; return the server.

        :raises VolopsError: it got into ERROR, or did not get there
        """
        def look():
            shown = self.server(server)
            if shown['status'] == 'ERROR' and 'ERROR' not in statuses:
                raise exceptions.VolopsError(
                    'server %s is in ERROR: %s' % (
                        self._named(server),
                        shown.get('fault', {}).get('message')))
            if shown['status'] in statuses and (
                    shown['OS-EXT-STS:task_state'] is None):
                return shown

        return self.wait('%s of server %s' % (
            ' or '.join(statuses), server), look)

    def create_volume(self, name, multiattach=False, **fields):
        """Return the UUID of a new volume of 1 GiB that is available.

        :param name: of the volume, shown in place of its UUID from then on
        :raises VolopsError: it is refused, or does not get there
        """
        volume = dict({'size': 1}, **fields, name=name)
        if multiattach:
            volume['volume_type'] = 'multiattach'
        answer = self.call('POST', '/volumes', {'volume': volume},
                           service='block_storage')
        if not answer.ok:
            raise exceptions.VolopsError('no volume: %s' % answer)
        volume = answer.body['volume']['id']
        self.remember('volume', volume, name)
        self.wait_for_volume(volume, 'available')
        return volume

    def volume(self, volume):
        """Return a volume as the API shows it, None when there is none."""
        return self._send('GET', '/volumes/' + volume,
                          service='block_storage').body.get('volume')

    def wait_for_volume(self, volume, *statuses):
        """Wait until a volume has a status; return the volume."""
        def look():
            shown = self.volume(volume)
            return shown if shown['status'] in statuses else None

        return self.wait('%s of volume %s' % (
            ' or '.join(statuses), volume), look)

    def images(self):
        """Return the UUIDs of the images that servers can boot from.

        :raises VolopsError: there are less than two
        """
        found = [image['id'] for image in self._send(
            'GET', '/images', service='image').body['images']
            if image['status'] == 'active' and
            image['disk_format'] in ('raw', 'qcow2')]
        if len(found) < 2:
            raise exceptions.VolopsError('the cloud has less than two images')
        return found

    def image(self):
        """Return the UUID of the image that servers boot from."""
        return self.images()[0]

    def fault(self, call, code):
        """Make Cinder refuse the next call of a kind.

        :param call: the name of Nova's method for it
        :param code: the HTTP status of the refusal
        :returns: whether this cloud can do so
        """
        return self.call('POST', '/faults', {'fault': {
            'call': call, 'code': code}}, service='block_storage').ok

    def heal(self):
        """Take back what fault() did."""
        self._send('DELETE', '/faults', service='block_storage')

    def _flavor(self):
        flavors = self._send('GET', '/flavors/detail').body['flavors']
        return min(flavors, key=lambda flavor: (
            flavor['ram'], flavor['id']))['id']

    def disk(self, server, volume):
        """Return what a server's guest has of a volume.

        :returns: a :class:`guest.Disk`, or None
        """
        try:
            found = guest.disks(self.cloud.domain_xml(server))
        except exceptions.VolopsError:
            return None
        disk = next((disk for disk in found if disk.serial == volume), None)
        if disk is None or not self.cloud.guests_run:
            return disk
        return dataclasses.replace(disk, seen=self._seen(server, volume))

    def _seen(self, server, volume):
        """Wait until a guest itself says something new of a volume."""
        before = self._console(server)

        def look():
            report = guest.last_report(before, self._console(server))
            return report and report.disk_of(volume)

        return self.wait('word of volume %s from server %s' % (
            volume, server), look)

    def _console(self, server):
        try:
            return self.cloud.console(server)
        except exceptions.VolopsError:
            # It has not printed anything yet.
            return ''

    # Cleaning up.

    def remember(self, kind, uuid, name):
        """Have something deleted by :meth:`clean_up`.

        :param kind: ``server`` or ``volume``
        :param name: what is shown in place of the UUID
        """
        self._names[uuid] = name
        self._made.append((kind, uuid))

    def clean_up(self):
        """Delete what the scenarios made: servers first.

        :raises VolopsError: something cannot be deleted
        """
        servers = [uuid for kind, uuid in self._made if kind == 'server']
        volumes = [uuid for kind, uuid in self._made if kind == 'volume']
        self._made = []
        for server in servers:
            self._send('DELETE', '/servers/' + server)
        for server in servers:
            self.wait('end of server %s' % server,
                      lambda: self._is_gone(server))
        for volume in volumes:
            self.wait('end of volume %s' % volume,
                      lambda: self._delete_volume(volume))

    def _is_gone(self, server):
        shown = self.server(server)
        if shown and shown['status'] == 'ERROR' and (
                shown['OS-EXT-STS:task_state'] is None):
            # The deletion failed, or it was in ERROR and waits for one.
            self._send('DELETE', '/servers/' + server)
        return not shown

    def _delete_volume(self, volume):
        shown = self.volume(volume)
        if not shown:
            return True
        # No server is left, so nothing ends what it had begun.
        for attachment in shown['attachments']:
            self._send('DELETE', '/attachments/' + attachment['attachment_id'],
                       version='3.27', service='block_storage')
        if shown['status'] in STUCK:
            self._send('POST', '/volumes/%s/action' % volume,
                       {'os-reset_status': {'status': 'error'}},
                       service='block_storage')
        return self._send(
            'DELETE', '/volumes/' + volume, service='block_storage').ok
