# SPDX-License-Identifier: Apache-2.0

"""The named selections of Tempest's tests."""

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
