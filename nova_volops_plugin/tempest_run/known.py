# SPDX-License-Identifier: Apache-2.0

"""Tests that fail on unpatched Nova too, each with the reason."""

# By a regular expression of the test's id.
KNOWN = {
    r'ServerActionsV293TestJSON\.test_rebuild_volume_backed_server':
        'It logs in to the guest by SSH even where run_validation is off.',
}
