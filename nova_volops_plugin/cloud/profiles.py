# SPDX-License-Identifier: Apache-2.0

"""The cloud profiles by the name that --profile takes."""

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
