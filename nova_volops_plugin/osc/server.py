# SPDX-License-Identifier: Apache-2.0

"""Commands about servers."""

from openstackclient.compute.v2 import server as upstream
from osc_lib.command import command
from osc_lib import exceptions

from nova_volops_plugin.osc import options
from nova_volops_plugin.sdk import attachment
from nova_volops_plugin.sdk import calls

# What the API calls what openstacksdk has another name for.
_FIELDS = {
    'admin_password': 'adminPass',
    'block_device_mapping': 'block_device_mapping_v2',
    'image_id': 'imageRef',
}


class _Collected(Exception):
    """Ends "openstack server create" where it would send its request.

    :ivar fields: what it would send, by openstacksdk's names
    """

    def __init__(self, **fields):
        super().__init__()
        self.fields = fields


class CreateMultipleServers(command.Lister, upstream.CreateServer):
    """Create servers that may share multiattach volumes.

    Takes what "openstack server create" takes. Needs a cloud with the series.
    """

    # Or the help would begin with that of the class it is built on.
    _description = None

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        options.add_mode(parser, 'the volume of --volume')
        for mode, word in ((attachment.READ_ONLY, 'read-only'),
                           (attachment.READ_WRITE, 'read-write')):
            parser.add_argument(
                '--%s-volume' % word, metavar='<volume>', dest='volumes',
                action='append', default=[],
                type=lambda volume, mode=mode: (volume, mode),
                help='Volume to attach %s (name or ID; may be repeated)' %
                     word)
        # Without --max there are as many as --min says.
        parser.set_defaults(max=None)
        return parser

    def take_action(self, parsed_args):
        if parsed_args.max is None:
            parsed_args.max = parsed_args.min
        if parsed_args.mode and not parsed_args.volume:
            raise exceptions.CommandError(
                '--read-only and --read-write need --volume; a volume beside '
                'an image is given by --read-only-volume or '
                '--read-write-volume')
        client = self.app.client_manager.volume_ops
        # A cloud without the series is told so, whatever else is wrong.
        client.discovery.require('multi_create')
        fields = self._collect(parsed_args)
        devices = fields['block_device_mapping_v2']
        if parsed_args.mode:
            devices[0]['attach_mode'] = parsed_args.mode
        devices += [
            calls.volume_device(
                options.find_volume(client, volume).id, attach_mode=mode)
            for volume, mode in parsed_args.volumes]
        servers = client.create_servers(
            fields.pop('name'), fields.pop('flavor_id'),
            fields.pop('networks'),
            (fields.pop('min_count'), fields.pop('max_count')), **fields)
        if parsed_args.wait:
            servers = [client.wait_for_server(server.id, 'ACTIVE')
                       for server in servers]
        return ('ID', 'Name', 'Status'), [
            (server.id, server.name, server.status)
            for server in sorted(servers, key=lambda server: server.name)]

    def _collect(self, parsed_args):
        """Return the fields that "openstack server create" would send."""
        compute = self.app.client_manager.compute
        if not hasattr(compute, 'create_server'):
            raise exceptions.CommandError(
                'server multiple create needs python-openstackclient 7.0.0 '
                'or later')
        compute.create_server = _raise
        try:
            super().take_action(parsed_args)
        except _Collected as collected:
            return {_FIELDS.get(name, name): value
                    for name, value in collected.fields.items()
                    if value != ''}
        finally:
            del compute.create_server


class RebuildServerVolume(command.Command):
    """Write an image to the volume that a server boots from.

    Needs compute API version 2.93. A refusal of the block storage service
    leaves the server as it was only where the series is; any other Nova of
    that version puts it into ERROR.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        options.add_server(parser)
        parser.add_argument(
            '--image', metavar='<image>', required=True,
            help='Image to write (name or ID)')
        parser.add_argument(
            '--name', metavar='<name>', help='New name of the server')
        options.add_wait(parser, 'it is done')
        return parser

    def take_action(self, parsed_args):
        client = self.app.client_manager.volume_ops
        server = options.find_server(client, parsed_args.server)
        if server.image and server.image.id:
            raise exceptions.CommandError(
                'server %s boots from an image, not from a volume; use '
                '"openstack server rebuild"' % parsed_args.server)
        image = client.connection.image.find_image(
            parsed_args.image, ignore_missing=False)
        fields = {'name': parsed_args.name} if parsed_args.name else {}
        client.rebuild(server.id, image.id, wait=parsed_args.wait, **fields)


def _raise(**fields):
    raise _Collected(**fields)
