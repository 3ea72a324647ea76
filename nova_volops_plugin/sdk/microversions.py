# SPDX-License-Identifier: Apache-2.0

"""The first compute API version of each feature, per base.

A number alone says nothing of a cloud, see
:mod:`nova_volops_plugin.sdk.discovery`.
"""

FEATURES = ('attach_mode', 'multi_create', 'shelved', 'rebuild')

# The newest Nova first. A client has no patches, so this is what base.conf
# says of each base; a test compares them.
_FIRST = {base: dict(zip(FEATURES, versions)) for base, *versions in (
    ('2026.2', '2.105', '2.105', '2.106', '2.93'),
    ('2026.1', '2.104', '2.104', '2.105', '2.93'),
    ('2025.2', '2.101', '2.101', '2.102', '2.93'),
    ('2025.1', '2.101', '2.101', '2.102', '2.93'),
    ('2024.1', '2.97', '2.97', '2.98', '2.93'),
    ('yoga', '2.91', '2.91', '2.92', '2.93'))}
#: The names of the bases, the newest Nova first.
BASES = tuple(_FIRST)


def of(base, feature):
    """Return a feature's microversion.

    :param base: the base's name
    :param feature: one of FEATURES
    """
    return _FIRST[base][feature]


def last(base):
    """Return the last microversion of a base with the whole series."""
    return max(_FIRST[base].values(), key=number)


def before(version):
    """Return the microversion before another: 2.104 for 2.105."""
    major, minor = number(version)
    return '%d.%d' % (major, minor - 1)


def number(version):
    """Return what a microversion can be compared by, a tuple of two int."""
    major, minor = version.split('.')
    return int(major), int(minor)
