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
"""The kinds of clouds there are, by the name that --profile takes."""

from nova_volops_plugin.cloud.embedded import cloud as embedded
from nova_volops_plugin.cloud.real import profile as real
from nova_volops_plugin import exceptions

DEFAULT = 'embedded'
PROFILES = {
    DEFAULT: embedded.EmbeddedCloud,
    'real': real.RealCloud,
}


def get(name):
    """Return the :class:`base.Cloud` class of a profile.

    :param name: for example ``embedded``
    :raises BadInput: there is no such profile
    """
    try:
        return PROFILES[name]
    except KeyError:
        raise exceptions.BadInput(
            'there is no profile %r; the profiles are: %s' %
            (name, ', '.join(sorted(PROFILES)))) from None
