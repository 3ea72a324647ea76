# SPDX-License-Identifier: Apache-2.0

"""nova-volops cloud install: install the requirements of the real cloud."""

import logging

from cliff import command

from nova_volops_plugin.cloud.real import packages
from nova_volops_plugin.cloud.real import profile
from nova_volops_plugin.cmd import cloud_options
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)


class Install(cloud_options.CloudOptions, command.Command):
    """Install what the real cloud needs; needs root.

    The packages are listed before anything is installed. The Python
    environments and the guests' images go to the state folder.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.set_defaults(profile='real')
        self.add_what_runs(parser)
        parser.add_argument(
            '--yes', action='store_true',
            help='install them; without it they are only listed')
        return parser

    def take_action(self, parsed_args):
        cloud = self.cloud(
            parsed_args, base=parsed_args.base,
            patched=not parsed_args.unpatched)
        if not isinstance(cloud, profile.RealCloud):
            raise exceptions.BadInput(
                'the profile %s needs nothing installed' %
                parsed_args.profile)
        missing = packages.missing_packages()
        for name in missing:
            self.app.stdout.write('%s\n' % name)
        if parsed_args.yes:
            cloud.install()
        elif missing:
            raise exceptions.BadInput(
                'nothing was installed; "nova-volops cloud install --yes" '
                'installs these packages')
        else:
            LOG.info('no package is missing; with --yes the environments and '
                     'images are made, too')
