# SPDX-License-Identifier: Apache-2.0

"""nova-volops tempest-conf: print Tempest's options for a base."""

from cliff import command

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.tempest_run import conf


class TempestConf(command.Command):
    """Print what belongs in tempest.conf for a cloud with the series."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add_named(parser, 'base', help="the cloud's base")
        series_options.add_only(
            parser, 'the topics that the cloud has, with those they need '
                    '(default: all)')
        return parser

    def take_action(self, parsed_args):
        self.app.stdout.write('[volume_ops]\n' + ''.join(
            '%s = %s\n' % option
            for option in conf.volume_ops(
                parsed_args.base, parsed_args.only).items()))
