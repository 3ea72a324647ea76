# SPDX-License-Identifier: Apache-2.0

"""The operations of the features on a cloud."""

from openstack.compute.v2 import server as sdk_server
from openstack import exceptions

from nova_volops_plugin.sdk import attachment
from nova_volops_plugin.sdk import calls
from nova_volops_plugin.sdk import discovery
from nova_volops_plugin.sdk import progress
from nova_volops_plugin.sdk import waiting


class VolumeOperations:
    """What can be done with servers' volumes.

    Every method finds out whether the cloud offers its feature and raises
    :class:`discovery.NotOffered` before anything is changed when it does not,
    and another openstack.exceptions.SDKException when the cloud refuses.
    Servers, volumes, images and flavors are given as openstacksdk's objects or
    by their ids.

    :param connection: an openstack.connection.Connection
    :ivar discovery: the :class:`discovery.Discovery` of its compute API
    """

    def __init__(self, connection):
        self.connection = connection
        self.discovery = discovery.Discovery(connection)

    def attachments(self, server):
        """Return a server's attachments, a list of VolumeAttachment."""
        return self._list('attach_mode', _id(server))

    def attach(self, server, volume, mode=None, tag=None,
               delete_on_termination=None, wait=0):
        """Attach a volume.

        :param mode: ``ro`` or ``rw``; None leaves it to Nova
        :param tag: the device's tag in the guest's metadata, str
        :param delete_on_termination: whether the volume goes with the server
        :param wait: how many seconds to wait until the guest has it
        :returns: a VolumeAttachment; without wait it may hold only what was
            asked for
        """
        server, volume = _id(server), _id(volume)
        fields = _given(attach_mode=mode, tag=tag,
                        delete_on_termination=delete_on_termination)
        response = self._call(
            'attach_mode', calls.attach(server, volume, **fields))
        if wait:
            request = self._request(server, response)
            return waiting.until(
                'attachment of volume %s to server %s' % (volume, server),
                lambda: self._attached(request, server, volume), wait)
        return _attachment(server, _json(response).get(
            'volumeAttachment', dict(fields, volumeId=volume)))

    def swap(self, server, old, new, copy_data=None, wait=0):
        """Put a volume into the place of one that a server has attached.

        A server that is shelved can do so, any other only where Cinder
        migrates the volume.

        :param copy_data: whether the data is to be copied onto the new
            volume: True for a server that is SHELVED, False for one that is
            SHELVED_OFFLOADED, where nothing is copied. The cloud refuses a
            shelved server without it, and what its state does not give: it
            may have been offloaded since anybody looked.
        :param wait: how many seconds to wait until it is done
        """
        server, old, new = _id(server), _id(old), _id(new)
        response = self._call('shelved', calls.swap(
            server, old, new, **_given(copy_data=copy_data)))
        if wait:
            request = self._request(server, response)
            waiting.until(
                'volume %s in the place of %s' % (new, old),
                lambda: not request.runs() and
                self._find('shelved', server, new) and
                not self._find('shelved', server, old), wait)

    def create_servers(self, name, flavor, networks='auto', count=(1, 1),
                       **fields):
        """Ask for servers that may share multiattach volumes.

        :param networks: ``auto``, ``none`` or a list of dict
        :param count: how many at least and at most, two int
        :param fields: more fields of the server, for example ``imageRef``
            and ``block_device_mapping_v2``, see :func:`calls.volume_device`
        :returns: a list of openstack.compute.v2.server.Server
        """
        body = _json(self._call('multi_create', calls.create_server(
            name, _id(flavor), networks, min_count=count[0],
            max_count=count[1], return_reservation_id=True, **fields)))
        return self.reserved(body['reservation_id'])

    def reserved(self, reservation):
        """Return the servers of a request, a list of Server.

        :param reservation: the ``reservation_id`` that it was answered with
        """
        response = calls.Call(
            'GET', '/servers/detail?reservation_id=' + reservation
        ).send(self.connection.compute)
        exceptions.raise_from_response(response)
        return [
            sdk_server.Server.existing(connection=self.connection, **row)
            for row in _json(response)['servers']]

    def rebuild(self, server, image, wait=0, **fields):
        """Write an image to a server's root disk, volume or not.

        :param wait: how many seconds to wait until it is done
        :param fields: more fields of the action, for example ``name``
        """
        server = _id(server)
        response = self._call(
            'rebuild', calls.rebuild(server, _id(image), **fields))
        if wait:
            request = self._request(server, response)
            self.wait_for_server(server, 'ACTIVE', 'SHUTOFF', seconds=wait)
            waiting.until('end of the rebuild of server %s' % server,
                          request.has_ended, wait)

    def wait_for_server(self, server, *statuses, seconds=waiting.SECONDS):
        """Wait until a server has a status and no task.

        :param statuses: for example ``ACTIVE``
        :returns: the Server
        :raises openstack.exceptions.ResourceFailure: it got into ERROR
        :raises openstack.exceptions.ResourceTimeout: it did not get there
        """
        server = _id(server)

        def look():
            shown = self.connection.compute.get_server(server)
            if shown.status == 'ERROR' and 'ERROR' not in statuses:
                raise exceptions.ResourceFailure(
                    'server %s is in ERROR: %s' % (
                        server, (shown.fault or {}).get('message')))
            if shown.status in statuses and shown.task_state is None:
                return shown

        return waiting.until('%s of server %s' % (
            ' or '.join(statuses), server), look, seconds)

    def _attached(self, request, server, volume):
        """Return the attachment when it is complete, else None."""
        offloaded = self.connection.compute.get_server(
            server).vm_state == 'shelved_offloaded'
        # Without a host nothing goes on after the answer.
        if offloaded or request.has_ended():
            return self._find('attach_mode', server, volume)

    def _find(self, feature, server, volume):
        return next((each for each in self._list(feature, server)
                     if each.volume_id == volume), None)

    def _list(self, feature, server):
        body = _json(self._call(feature, calls.attachments(server)))
        return [_attachment(server, row) for row in body['volumeAttachments']]

    def _request(self, server, response):
        return progress.Request(
            self.connection.compute, server,
            response.headers['x-openstack-request-id'])

    def _call(self, feature, call):
        version = self.discovery.require(feature)
        response = call.send(self.connection.compute, version)
        exceptions.raise_from_response(response)
        return response


def _json(response):
    return response.json() if response.content else {}


def _attachment(server, row):
    return attachment.VolumeAttachment.existing(**dict(row, server_id=server))


def _id(thing):
    """Return the id of an object of openstacksdk, or what is an id already."""
    return getattr(thing, 'id', thing)


def _given(**fields):
    return {name: value for name, value in fields.items()
            if value is not None}
