# SPDX-License-Identifier: Apache-2.0

"""The first compute API version of each feature, per base.

A number alone says nothing of a cloud, see
:mod:`nova_volops_plugin.sdk.discovery`.
"""

import configparser

from nova_volops_plugin import patches_folder

FEATURES = ('attach_mode', 'multi_create', 'shelved', 'rebuild')


def of(base, feature):
    """Return a feature's microversion.

    :param base: the base's name
    :param feature: one of FEATURES
    """
    conf = configparser.ConfigParser()
    conf.read_string((patches_folder.root() / base / 'base.conf').read_text())
    return conf['microversions'][feature]


def before(version):
    """Return the microversion before another: 2.104 for 2.105."""
    major, minor = number(version)
    return '%d.%d' % (major, minor - 1)


def number(version):
    """Return what a microversion can be compared by, a tuple of two int."""
    major, minor = version.split('.')
    return int(major), int(minor)
