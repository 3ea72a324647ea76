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

"""A server without volumes is migrated while it is off, and that confirmed."""

from nova_volops_plugin.bench import ways

NAME = 'migrate'
TITLE = 'Cold migration of a server without volumes'
AXIS = 'servers'
PROFILES = ('embedded',)
LIMIT = 'Nothing: both do the same.'


def run(run):
    servers = {way: site.boot('bench-migrate')
               for way, site in ways.bases(run)}
    for way, site in run.alternate(ways.bases(run)):
        answers = [
            site.act(servers[way], 'VERIFY_RESIZE', 'migrate'),
            site.act(servers[way], 'ACTIVE', 'confirmResize')]
        run.add_requests(way, 1, site, answers, in_series=True)
