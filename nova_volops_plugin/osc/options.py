# SPDX-License-Identifier: Apache-2.0

"""Common options of the commands."""

from nova_volops_plugin.sdk import attachment
from nova_volops_plugin.sdk import waiting


def add_server(parser):
    """Add the server that a command is about."""
    parser.add_argument(
        'server', metavar='<server>', help='Server (name or ID)')


def add_mode(parser, what='the volume'):
    """Add --read-only and --read-write, which set ``mode``.

    :param what: what the help calls that which has the mode
    """
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        '--read-only', dest='mode', action='store_const',
        const=attachment.READ_ONLY,
        help='The guest must not write to %s' % what)
    group.add_argument(
        '--read-write', dest='mode', action='store_const',
        const=attachment.READ_WRITE,
        help='The guest may write to %s (default)' % what)


def add_wait(parser, until):
    """Add --wait, which sets how many seconds to wait.

    :param until: what the help says is waited for
    """
    parser.add_argument(
        '--wait', action='store_const', const=waiting.SECONDS, default=0,
        help='Wait until %s' % until)


def find_server(client, name):
    """Return the Server of a name or ID.

    :param client: an :class:`operations.VolumeOperations`
    """
    compute = client.connection.compute
    # What is found by name lacks the details.
    return compute.get_server(
        compute.find_server(name, ignore_missing=False).id)


def find_volume(client, name):
    """Return the Volume of a name or ID."""
    return client.connection.block_storage.find_volume(
        name, ignore_missing=False)
