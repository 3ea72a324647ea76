# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.
"""nova-volops databases: the migration on the servers that Nova runs on."""

from nova_volops_plugin.cmd import verdicts
from nova_volops_plugin.databases import check
from nova_volops_plugin.databases import servers


class Databases(verdicts.Verdicts):
    """Migrate a database to the series and back while it is used.

    The server is private: it is made for this, listens on a socket only and
    is stopped and deleted afterwards. The times are in the table. The exit
    code is 0 when all came as documented, else 3.
    """

    COLUMNS = ('Step', 'Found')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--server', choices=sorted(servers.SERVERS), default='mariadb',
            help='the kind of server (default: mariadb)')
        parser.add_argument(
            '--rows', metavar='N', type=int, default=10000,
            help='so many block devices (default: 10000)')
        parser.add_argument(
            '--no-tests', action='store_true',
            help='leave out Nova\'s own tests of models and migrations')
        return parser

    def steps(self, parsed_args):
        with servers.SERVERS[parsed_args.server]().running() as server:
            server.create(check.DATABASE)
            for step in check.Check(
                    self.app.state, parsed_args.base, server,
                    self.progress).run(
                        parsed_args.rows, not parsed_args.no_tests):
                yield (step.name, step.found), step.passed
