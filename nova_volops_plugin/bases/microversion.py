# SPDX-License-Identifier: Apache-2.0

"""Reads the last microversion of a Nova from its source."""

import re

# What has a microversion of its own in a series.
FEATURES = ('attach_mode', 'multi_create', 'shelved', 'rebuild')
PATH = 'nova/api/openstack/api_version_request.py'
PATTERN = r"^_MAX_API_VERSION = ['\"](2\.\d+)"


def last(source):
    """Return it, such as ``2.96``, or None where it is not stated.

    :param source: text of the file at PATH, or a line of it
    """
    match = re.search(PATTERN, source, re.MULTILINE)
    return match and match[1]
