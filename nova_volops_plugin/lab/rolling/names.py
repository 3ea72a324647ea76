# SPDX-License-Identifier: Apache-2.0

"""The names of the stories, available before Nova starts."""

CONTROLLERS_FIRST = (
    'what_the_release_could', 'read_only_on_an_old_compute',
    'create_read_only', 'move_read_only', 'share_on_an_old_compute',
    'shelved_on_an_old_compute', 'reimage_on_an_old_compute',
    'take_back_a_compute', 'take_back_among_read_only')
COMPUTES_FIRST = ('computes_before_controllers',)
SERIES_ON_BOTH = (
    'what_the_release_could', 'read_only_on_the_older_release',
    'move_between_releases', 'shelved_and_rebuilt_on_the_older_release',
    'upgrade_the_compute')
