# SPDX-License-Identifier: Apache-2.0

"""The bases that lag behind, and in which changes.

base.conf names them by topic or by Change-Id::

    [series]
    behind = dangling I0123456789abcdef0123456789abcdef01234567

A change can so be redesigned in one base and come to the others later.
"""

from nova_volops_plugin.series import numbering


def behind_changes(base, topics):
    """Return the changes in which a base may differ from the others.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param topics: a dict of Change-Id and the topic it belongs to
    :returns: a frozenset of Change-Ids
    """
    return frozenset(
        {entry for entry in base.behind if entry.startswith('I')} |
        {change for change, topic in topics.items()
         if topic in base.behind})


def check(bases, series, topics):
    """Yield (file, check's name, message, whether it is open) of each entry.

    :param bases: a dict of base name and
        :class:`nova_volops_plugin.bases.base.Base`
    :param series: a dict of base name and list of
        :class:`nova_volops_plugin.series.patch.Patch`
    :param topics: as in :func:`behind_changes`
    """
    known = set(topics.values()).union(
        numbering.key(patch) for patches in series.values()
        for patch in patches)
    for name, base in bases.items():
        for entry in base.behind:
            if entry in known:
                yield ('%s/base.conf' % name, 'behind',
                       'it lags behind in %s: bring that up, then delete it '
                       'from the option "behind"' % entry, True)
            else:
                yield ('%s/base.conf' % name, 'behind',
                       '%s is no topic and no patch\'s Change-Id: correct it '
                       'in the option "behind", or delete it' % entry, False)
