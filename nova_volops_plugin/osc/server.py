# SPDX-License-Identifier: Apache-2.0

"""Commands about servers."""

import functools

from osc_lib.command import command
from osc_lib import exceptions

from nova_volops_plugin.osc import options
from nova_volops_plugin.osc import server_options
from nova_volops_plugin.sdk import attachment
from nova_volops_plugin.sdk import calls


class CreateMultipleServers(command.Lister):
    """Create servers that may share multiattach volumes.

    Needs a cloud with the series.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'name', metavar='<server-name>',
            help='Name of the server; several are numbered')
        parser.add_argument(
            '--flavor', metavar='<flavor>', required=True,
            help='Flavor (name or ID)')
        root = parser.add_mutually_exclusive_group(required=True)
        root.add_argument(
            '--image', metavar='<image>',
            help='Image to boot from (name or ID)')
        root.add_argument(
            '--volume', metavar='<volume>',
            help='Volume to boot from (name or ID)')
        options.add_mode(parser, 'the volume of --volume')
        for mode, word in ((attachment.READ_ONLY, 'read-only'),
                           (attachment.READ_WRITE, 'read-write')):
            parser.add_argument(
                '--%s-volume' % word, metavar='<volume>', dest='volumes',
                action='append', default=[],
                type=functools.partial(_with_mode, mode),
                help='Volume to attach %s (name or ID; may be repeated)' %
                     word)
        parser.add_argument(
            '--min', metavar='<count>', type=int, default=1,
            help='Minimum number of servers to create (default: 1)')
        parser.add_argument(
            '--max', metavar='<count>', type=int,
            help='Maximum number of servers to create (default: that of '
                 '--min)')
        network = parser.add_mutually_exclusive_group()
        network.add_argument(
            '--network', metavar='<network>', action='append', default=[],
            help='Network (name or ID; may be repeated; default: what the '
                 'cloud chooses)')
        network.add_argument(
            '--no-network', action='store_true', help='Attach no network')
        server_options.add(parser)
        options.add_wait(parser, 'the servers are ACTIVE')
        return parser

    def take_action(self, parsed_args):
        maximum = (parsed_args.min if parsed_args.max is None
                   else parsed_args.max)
        if not 1 <= parsed_args.min <= maximum:
            raise exceptions.CommandError(
                'at least %d and at most %d servers cannot be created' %
                (parsed_args.min, maximum))
        if parsed_args.mode and not parsed_args.volume:
            raise exceptions.CommandError(
                '--read-only and --read-write need --volume; a volume beside '
                'an image is given by --read-only-volume or '
                '--read-write-volume')
        client = self.app.client_manager.volume_ops
        find = options.Finder(client.connection)
        servers = client.create_servers(
            parsed_args.name, find.flavor(parsed_args.flavor).id,
            _networks(find, parsed_args), (parsed_args.min, maximum),
            **_fields(find, parsed_args))
        if parsed_args.wait:
            servers = [
                client.wait_for_server(
                    server.id, 'ACTIVE', seconds=parsed_args.wait)
                for server in servers]
        return ('ID', 'Name', 'Status'), [
            (server.id, server.name, server.status)
            for server in sorted(servers, key=lambda server: server.name)]


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
        find = options.Finder(client.connection)
        server = find.server(parsed_args.server)
        if server.image and server.image.id:
            raise exceptions.CommandError(
                'server %s boots from an image, not from a volume; use '
                '"openstack server rebuild"' % parsed_args.server)
        image = find.image(parsed_args.image)
        fields = {'name': parsed_args.name} if parsed_args.name else {}
        client.rebuild(server.id, image.id, wait=parsed_args.wait, **fields)


def _with_mode(mode, volume):
    return volume, mode


def _fields(find, parsed_args):
    """Return what the servers boot from and have, for create_servers."""
    fields = {}
    devices = []
    if parsed_args.image:
        fields['imageRef'] = find.image(parsed_args.image).id
        devices.append(calls.image_device(fields['imageRef']))
    else:
        devices.append(_device(find, parsed_args.volume, parsed_args.mode,
                               boot_index=0))
    devices += [_device(find, *volume) for volume in parsed_args.volumes]
    fields['block_device_mapping_v2'] = devices
    return dict(server_options.fields(find, parsed_args), **fields)


def _device(find, volume, mode, **fields):
    if mode:
        fields['attach_mode'] = mode
    return calls.volume_device(find.volume(volume).id, **fields)


def _networks(find, parsed_args):
    if parsed_args.no_network:
        return 'none'
    return [{'uuid': find.network(name).id}
            for name in parsed_args.network] or 'auto'
