# SPDX-License-Identifier: Apache-2.0

"""nova-volops cloud: start a cloud on this machine, use it and stop it."""

from cliff import command
from cliff.formatters import base as formatters
from cliff import lister
from cliff import show
from stevedore import extension

from nova_volops_plugin.cloud import client
from nova_volops_plugin.cmd import cloud_options
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin import exceptions


class Up(cloud_options.CloudOptions, command.Command):
    """Start a cloud; do nothing when it is up."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_what_runs(parser)
        self.add_only(parser)
        parser.add_argument(
            '--hosts', metavar='N', type=numbers.at_least(1), default=1,
            help='the number of compute hosts (default: 1)')
        parser.add_argument(
            '--released-hosts', metavar='N', type=numbers.at_least(0),
            default=0,
            help='how many of them run the unpatched base, as in the middle '
                 'of an upgrade (default: 0)')
        return parser

    def take_action(self, parsed_args):
        self.cloud(
            parsed_args, base=parsed_args.base,
            patched=not parsed_args.unpatched,
            hosts=parsed_args.hosts,
            released_hosts=parsed_args.released_hosts,
            only=parsed_args.only).up()
        self.app.stdout.write(
            'The %s cloud is up; "nova-volops cloud env" tells how to reach '
            'it.\n' % parsed_args.profile)


class Down(cloud_options.CloudOptions, command.Command):
    """Stop what up started."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--wipe', action='store_true',
            help='delete what the cloud keeps, logs included')
        return parser

    def take_action(self, parsed_args):
        self.cloud(parsed_args).down(wipe=parsed_args.wipe)


class Status(cloud_options.CloudOptions, lister.Lister):
    """Show the services of a cloud; the exit code is 3 if one is not up."""

    def take_action(self, parsed_args):
        services = self.cloud(parsed_args).status()
        self._all_up = bool(services) and all(
            service.state == 'up' for service in services)
        return ('Service', 'State', 'PID', 'Detail'), [
            (service.name, service.state, service.pid, service.detail)
            for service in services]

    def run(self, parsed_args):
        return super().run(parsed_args) or (
            0 if self._all_up else series_options.FOUND)


class _Exports(formatters.SingleFormatter):
    """What a shell can source."""

    def add_argument_group(self, parser):
        pass

    def emit_one(self, column_names, data, stdout, parsed_args):
        for name, value in zip(column_names, data):
            stdout.write("export %s='%s'\n" % (
                name, value.replace("'", "'\\''")))


class Env(cloud_options.CloudOptions, show.ShowOne):
    """Print the environment variables for OpenStack clients.

    For use as: eval "$(nova-volops cloud env)"
    """

    formatter_default = 'export'

    def _load_formatter_plugins(self):
        plugins = super()._load_formatter_plugins()
        plugins.extensions.append(extension.Extension(
            'export', None, _Exports, _Exports()))
        return plugins

    def take_action(self, parsed_args):
        cloud = self.cloud(parsed_args)
        self.require_up(parsed_args, cloud)
        environ = cloud.environ()
        names = sorted(environ)
        return names, [environ[name] for name in names]


class Logs(cloud_options.CloudOptions, lister.Lister):
    """Print the last lines of the services' logs."""

    formatter_default = 'value'

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--lines', metavar='N', type=numbers.at_least(0), default=20,
            help='the number of lines of each log (default: 20)')
        parser.add_argument(
            '--files', action='store_true',
            help='print the paths of the logs instead')
        parser.add_argument(
            'service', metavar='SERVICE', nargs='?',
            help='print the log of this service only')
        return parser

    def take_action(self, parsed_args):
        logs = self.cloud(parsed_args).logs()
        if parsed_args.service:
            if parsed_args.service not in logs:
                raise exceptions.BadInput(
                    'there is no log of %r; there are: %s' %
                    (parsed_args.service, ', '.join(sorted(logs)) or 'none'))
            logs = {parsed_args.service: logs[parsed_args.service]}
        if parsed_args.files:
            return ('Service', 'File'), sorted(
                (name, str(path)) for name, path in logs.items())
        return ('Service', 'Line'), [
            (name, line) for name, path in sorted(logs.items())
            for line in _tail(path, parsed_args.lines)]


class Console(cloud_options.CloudOptions, command.Command):
    """Show a server's console log or domain XML."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--xml', action='store_true',
            help='show the libvirt domain XML instead')
        parser.add_argument(
            'server', metavar='SERVER',
            help='the name or the UUID of the server')
        return parser

    def take_action(self, parsed_args):
        cloud = self.cloud(parsed_args)
        self.require_up(parsed_args, cloud)
        read = cloud.domain_xml if parsed_args.xml else cloud.console
        server = client.server(cloud.environ(), parsed_args.server)
        self.app.stdout.write(read(server).rstrip('\n') + '\n')


def _tail(path, count):
    try:
        with open(path, errors='replace') as log:
            return log.read().splitlines()[-count:] if count > 0 else []
    except FileNotFoundError:
        return []
