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
"""``nova-volops tempest-conf``: what Tempest must know of a base."""

from cliff import command

from nova_volops_plugin.gate import conf
from nova_volops_plugin.series import base as series_base


class TempestConf(command.Command):
    """Print what belongs in tempest.conf for a cloud with the series."""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument('base', metavar='BASE', help="the cloud's base")
        return parser

    def take_action(self, parsed_args):
        base = series_base.Base.load(parsed_args.base)
        self.app.stdout.write('[volume_ops]\n' + ''.join(
            '%s = %s\n' % option
            for option in conf.volume_ops(base.name).items()))
