# SPDX-License-Identifier: Apache-2.0

"""Common code of the cloud commands."""

from nova_volops_plugin.cloud import profiles
from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin import exceptions


class CloudOptions:
    """Mixed into a cliff command."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--profile', metavar='NAME', default=profiles.DEFAULT,
            help='the kind of cloud: %s (default: %%(default)s)' %
                 ', '.join(sorted(profiles.PROFILES)))
        return parser

    def add_what_runs(self, parser):
        base_option.add(parser)
        parser.add_argument(
            '--unpatched', action='store_true',
            help='run the base unpatched')

    @staticmethod
    def add_only(parser):
        series_options.add_only(
            parser, 'only these topics of the series, with those they need; '
                    'the embedded cloud can do so (default: all)')

    @staticmethod
    def require_up(parsed_args, cloud):
        """Refuse a cloud none of whose services is up.

        :raises CloudDown: it says how to start one
        """
        if not any(service.state == 'up' for service in cloud.status()):
            raise exceptions.CloudDown(
                'the %s cloud is not up; start it by "nova-volops cloud up '
                '--profile %s"' % ((parsed_args.profile,) * 2))

    def cloud(self, parsed_args, **what_runs):
        """Return the cloud of the profile asked for."""
        return profiles.get(parsed_args.profile)(
            self.app.state, **what_runs)
