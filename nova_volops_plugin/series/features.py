# SPDX-License-Identifier: Apache-2.0

"""The topic of each feature."""

from nova_volops_plugin.series import combination

_TOPICS = {
    'attach_mode': 'attach-mode',
    'multi_create': 'attach-mode',
    'shelved_swap': 'shelved',
    'shelved_attach': 'shelved',
    'rebuild': 'rebuild',
    'dangling_cleanup': 'dangling',
}
FEATURES = tuple(_TOPICS)


def of(base, only=None):
    """Return the features that topics bring, a tuple of some of FEATURES.

    One whose topic the series does not have by itself comes with the whole.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param only: the names of topics, with those that they need; by default
        all
    :raises BadInput: the series has no such topic
    """
    series = combination.Series(base)
    names = series.names(only)
    whole = names == series.names()
    return tuple(feature for feature, topic in _TOPICS.items()
                 if whole or topic in names)
