# SPDX-License-Identifier: Apache-2.0

"""Registers the commands with OpenStackClient."""

from osc_lib import utils

from nova_volops_plugin.sdk import operations

DEFAULT_API_VERSION = '1'
API_VERSION_OPTION = 'os_volume_ops_api_version'
API_NAME = 'volume_ops'
API_VERSIONS = {
    '1': 'nova_volops_plugin.sdk.operations.VolumeOperations',
}


def make_client(instance):
    """Return what the commands find as their client.

    :param instance: OpenStackClient's ClientManager
    :returns: a :class:`operations.VolumeOperations`
    """
    return operations.VolumeOperations(instance.sdk_connection)


def build_option_parser(parser):
    """Add the plugin's global options to OpenStackClient's.

    :param parser: an argparse.ArgumentParser
    """
    parser.add_argument(
        '--os-volume-ops-api-version',
        metavar='<volume-ops-api-version>',
        default=utils.env('OS_VOLUME_OPS_API_VERSION',
                          default=DEFAULT_API_VERSION),
        help='Version of the volume operations\' commands, default=%s '
             '(Env: OS_VOLUME_OPS_API_VERSION)' % DEFAULT_API_VERSION)
    return parser
