# SPDX-License-Identifier: Apache-2.0

"""Commands about the attachments of servers."""

from osc_lib.command import command
from osc_lib import utils

from nova_volops_plugin.osc import options

_COLUMNS = {
    'Volume ID': 'volume_id',
    'Device': 'device',
    'Mode': 'attach_mode',
    'Tag': 'tag',
    'Delete On Termination': 'delete_on_termination',
}
_LONG_COLUMNS = dict(_COLUMNS, **{
    'Attachment ID': 'attachment_id',
    'Block Device Mapping ID': 'bdm_id',
})


def _place(row):
    # What has no device yet comes last.
    return row.device is None, row.device or ''


class CreateServerAttachment(command.ShowOne):
    """Attach a volume to a server, read-only or read-write.

    Needs a cloud with the series; for a tag or a multiattach volume of an
    offloaded server its last compute API version.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        options.add_server(parser)
        parser.add_argument(
            'volume', metavar='<volume>', help='Volume (name or ID)')
        options.add_mode(parser)
        parser.add_argument(
            '--tag', metavar='<tag>',
            help='Tag of the volume in the guest\'s metadata')
        termination = parser.add_mutually_exclusive_group()
        termination.add_argument(
            '--delete-on-termination', action='store_true', default=None,
            help='Delete the volume when the server is deleted')
        termination.add_argument(
            '--preserve-on-termination', dest='delete_on_termination',
            action='store_false',
            help='Keep the volume when the server is deleted (default)')
        options.add_wait(parser, 'the volume is attached')
        return parser

    def take_action(self, parsed_args):
        client = self.app.client_manager.volume_ops
        server = options.find_server(client, parsed_args.server).id
        volume = options.find_volume(client, parsed_args.volume).id
        attached = client.attach(
            server, volume, mode=parsed_args.mode, tag=parsed_args.tag,
            delete_on_termination=parsed_args.delete_on_termination,
            wait=parsed_args.wait)
        return ('Server ID', *_COLUMNS), (
            server, *utils.get_item_properties(attached, _COLUMNS.values()))


class ListServerAttachment(command.Lister):
    """List a server's attachments with their modes.

    Needs a cloud with the series.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        options.add_server(parser)
        parser.add_argument(
            '--long', action='store_true', help='List more columns')
        return parser

    def take_action(self, parsed_args):
        client = self.app.client_manager.volume_ops
        server = options.find_server(client, parsed_args.server).id
        columns = _LONG_COLUMNS if parsed_args.long else _COLUMNS
        return tuple(columns), (
            utils.get_item_properties(row, columns.values())
            for row in sorted(client.attachments(server), key=_place))


class SwapServerAttachment(command.Command):
    """Swap a volume that is attached to a server for another one.

    The server must be SHELVED, when its data are copied, or
    SHELVED_OFFLOADED, when nothing is copied. As it may be offloaded at any
    time, say which of the two you mean: the other one is refused. Needs a
    cloud with the series.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        options.add_server(parser)
        parser.add_argument(
            'old_volume', metavar='<old-volume>',
            help='Volume that is attached (name or ID)')
        parser.add_argument(
            'new_volume', metavar='<new-volume>',
            help='Volume to attach in its place (name or ID)')
        data = parser.add_mutually_exclusive_group(required=True)
        data.add_argument(
            '--copy-data', action='store_true',
            help='Copy the data of the old volume (SHELVED server)')
        data.add_argument(
            '--no-copy-data', dest='copy_data', action='store_false',
            help='Take the new volume with the data it has '
                 '(SHELVED_OFFLOADED server)')
        options.add_wait(parser, 'it is done')
        return parser

    def take_action(self, parsed_args):
        client = self.app.client_manager.volume_ops
        client.swap(
            options.find_server(client, parsed_args.server),
            options.find_volume(client, parsed_args.old_volume),
            options.find_volume(client, parsed_args.new_volume),
            copy_data=parsed_args.copy_data, wait=parsed_args.wait)
