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

"""An offloaded server with more and more volumes gets a host again."""

from nova_volops_plugin.bench import offloaded
from nova_volops_plugin.bench import ways

NAME = 'unshelve'
TITLE = 'Unshelve of an offloaded server'
AXIS = 'volumes'
PROFILES = ('embedded',)
LIMIT = (
    'Two calls for each volume: the connection to the host and its end. As '
    'released, Nova asks on the host what each volume is besides.')


def least(point, way):
    """Return the counts that a way cannot do without, a dict."""
    return {'cinder': 2 * point}


def run(run):
    servers = {}
    for way, site in ways.bases(run):
        servers[way] = offloaded.boot(site, 'bench-unshelve')
    for count in ways.more_volumes(run, servers):
        for way, site in run.alternate(ways.bases(run)):
            answer = site.act(servers[way], 'ACTIVE', 'unshelve')
            run.add_requests(way, count, site, [answer])
            offloaded.shelve(site, servers[way])
