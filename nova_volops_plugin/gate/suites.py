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

"""What can be run: a name for a choice of Tempest's tests."""

PLUGIN = r'^tempest_plugin\.'

# Tempest's own tests of what the series touches.
VOLUMES = '|'.join((
    r'^tempest\.api\.compute\.volumes\.',
    r'^tempest\.api\.compute\.servers\.test_server_actions\.',
    r'^tempest\.api\.compute\.admin\.test_volume_swap\.',
    r'^tempest\.scenario\.test_(shelve_instance|volume_)',
))

SMOKE = (r'^tempest\.api\.(compute|volume)\..*\[.*\bsmoke\b.*\]')

SUITES = {'plugin': PLUGIN, 'volumes': VOLUMES, 'smoke': SMOKE}
DEFAULT = 'plugin'
