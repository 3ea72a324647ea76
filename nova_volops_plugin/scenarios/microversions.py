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
"""The first compute API version of each feature, per base.

A number alone says nothing of a cloud: upstream's later releases use some of
them for other things. The scenarios know which series they run on, and read
what Tempest is told of it.
"""

import configparser
import pathlib

import tempest_plugin


def of(base, feature):
    """Return a feature's microversion.

    :param base: the base's name
    :param feature: ``attach_mode``, ``multi_create``, ``shelved`` or
        ``rebuild``
    """
    conf = configparser.ConfigParser()
    path = pathlib.Path(
        tempest_plugin.__file__).parent / 'bases' / (base + '.conf')
    conf.read_string(path.read_text())
    return conf['volume_ops'][feature + '_microversion']


def before(version):
    """Return the microversion before another: 2.104 for 2.105."""
    major, minor = version.split('.')
    return '%s.%d' % (major, int(minor) - 1)
