# SPDX-License-Identifier: Apache-2.0

"""The names of flows and faults, available before Nova starts."""

FLOWS = (
    'attach-ro', 'boot-ro', 'multi-create', 'attach-offloaded',
    'detach-offloaded', 'swap-offloaded', 'swap-shelved',
    'migrate-shelved', 'shelve', 'unshelve', 'resize', 'resize-revert',
    'live-migrate', 'live-migrate-rollback', 'evacuate', 'rebuild',
    'reboot-cleanup', 'manage-cleanup')
FAULTS = (
    '400', '401', '403', '404', '409', '413', '500', '503', 'timeout',
    'dropped', 'lost', 'crash', 'crash-after', 'empty', 'lagging', 'down',
    'unreachable', 'unheard')
