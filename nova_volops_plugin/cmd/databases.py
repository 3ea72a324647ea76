# SPDX-License-Identifier: Apache-2.0

"""nova-volops lab databases: test the migrations on database servers."""

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check as cmd_check
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.lab.databases import check
from nova_volops_plugin.lab.databases import paths
from nova_volops_plugin.lab.databases import servers
from nova_volops_plugin import result


class Databases(cmd_check.Check):
    """Migrate databases to the series and back.

    Databases of this base and of all older ones, released and patched, are
    migrated to the last schema of this base. Then a load test migrates a big
    database while it is used, and back. The servers are private: each is
    made for this, listens on a socket only and is deleted afterwards. The
    times are in the table. The exit code is 0 when all is as documented,
    else 3.
    """

    COLUMNS = ('Server', 'Step', 'Found', 'Result')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser)
        parser.add_argument(
            '--server', choices=sorted(servers.SERVERS), action='append',
            help='database server; may be repeated (default: all)')
        parser.add_argument(
            '--rows', metavar='N', type=numbers.at_least(1), default=10000,
            help='number of block devices in the load test (default: 10000)')
        parser.add_argument(
            '--only-paths', action='store_true',
            help='skip the load test, which SQLite never has')
        parser.add_argument(
            '--no-tests', action='store_true',
            help='skip Nova\'s own tests of models and migrations')
        return parser

    def results(self, parsed_args):
        for name in parsed_args.server or sorted(servers.SERVERS):
            with servers.SERVERS[name]().running() as server:
                for step in self._of(server, parsed_args):
                    yield result.Result(
                        (name, step.name, step.found, step.result),
                        step.result)

    def _of(self, server, parsed_args):
        about = (self.app.state, parsed_args.base, server)
        yield from paths.Paths(*about).run()
        if server.name in check.TESTS and not parsed_args.only_paths:
            server.create(check.DATABASE)
            yield from check.Check(*about).run(
                parsed_args.rows, not parsed_args.no_tests)
