# SPDX-License-Identifier: Apache-2.0

"""Options that "server multiple create" has of "openstack server create".

The classes of that command differ too much between its releases to be built
on; these are its options that say nothing of disks and networks.
"""

import base64

from osc_lib.cli import parseractions
from osc_lib import exceptions


def add(parser):
    """Add the options to an argparse.ArgumentParser."""
    parser.add_argument(
        '--key-name', metavar='<key-name>', help='Key pair to inject')
    parser.add_argument(
        '--security-group', metavar='<security-group>', action='append',
        default=[],
        help='Security group (name or ID; may be repeated)')
    parser.add_argument(
        '--user-data', metavar='<file>',
        help='File with what the metadata service serves')
    parser.add_argument(
        '--availability-zone', metavar='<zone>', help='Availability zone')
    parser.add_argument(
        '--host', metavar='<host>', help='Host to create the servers on')
    parser.add_argument(
        '--server-group', metavar='<server-group>',
        help='Server group (name or ID) that the servers become members of')
    parser.add_argument(
        '--hint', metavar='<key=value>', dest='hints',
        action=parseractions.KeyValueAppendAction, default={},
        help='Hint for the scheduler (may be repeated)')
    parser.add_argument(
        '--property', metavar='<key=value>', dest='properties',
        action=parseractions.KeyValueAction, default={},
        help='Property of the servers (may be repeated)')
    parser.add_argument(
        '--tag', metavar='<tag>', dest='tags', action='append', default=[],
        help='Tag of the servers (may be repeated)')
    parser.add_argument(
        '--description', metavar='<description>',
        help='Description of the servers')
    parser.add_argument(
        '--config-drive', action='store_true',
        help='Give the servers a config drive')


def fields(find, parsed_args):
    """Return the fields of the server that the options ask for, a dict.

    Hints are no field of the server: they come as ``scheduler_hints``.

    :param find: a :class:`nova_volops_plugin.osc.options.Finder`
    :raises CommandError: the user data cannot be read
    """
    found = {
        'key_name': parsed_args.key_name,
        'security_groups': [
            {'name': name} for name in parsed_args.security_group],
        'user_data': _user_data(parsed_args.user_data),
        'availability_zone': parsed_args.availability_zone,
        'host': parsed_args.host,
        'metadata': dict(parsed_args.properties or {}),
        'tags': parsed_args.tags,
        'description': parsed_args.description,
        'config_drive': parsed_args.config_drive,
        'scheduler_hints': _hints(find, parsed_args),
    }
    return {name: value for name, value in found.items() if value}


def _hints(find, parsed_args):
    hints = {key: values[0] if len(values) == 1 else values
             for key, values in (parsed_args.hints or {}).items()}
    if parsed_args.server_group:
        hints['group'] = find.server_group(parsed_args.server_group).id
    return hints


def _user_data(path):
    if not path:
        return None
    try:
        with open(path, 'rb') as file:
            return base64.b64encode(file.read()).decode()
    except OSError as error:
        raise exceptions.CommandError(
            'the user data %s cannot be read: %s' % (path, error.strerror))
