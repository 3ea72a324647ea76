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

"""A server without volumes is created: nobody pays for what it has not."""

from nova_volops_plugin.bench import ways

NAME = 'boot'
TITLE = 'Boot of a server without volumes'
AXIS = 'servers'
PROFILES = ('embedded',)
LIMIT = 'Nothing: both do the same.'


def run(run):
    for way, site in run.alternate(ways.bases(run)):
        answer = site.create_server('bench-boot')
        server = answer.body['server']['id']
        site.entry(answer)
        site.wait_for_server(server, 'ACTIVE')
        run.add_requests(way, 1, site, [answer])
        site.clean_up()
