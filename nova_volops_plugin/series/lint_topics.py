# SPDX-License-Identifier: Apache-2.0

"""The checks of topics: the same in every base, and recorded."""

from nova_volops_plugin.series import numbering


def by_change(series):
    """Return a dict of each change's key and the name of its topic.

    :param series: as for :func:`check`
    """
    found = {}
    for name in sorted(series):
        listed, patches = series[name]
        topics = listed.topics.of_patches()
        for patch in patches:
            if patch.name in topics:
                found.setdefault(numbering.key(patch), topics[patch.name])
    return found


def check(series, recorded):
    """Yield (file, message) for what is wrong with the topics of bases.

    :param series: a dict of base name and (its
        :class:`nova_volops_plugin.series.series_file.SeriesFile`, its list of
        :class:`nova_volops_plugin.series.patch.Patch`)
    :param recorded: a dict of base name and the names of the topics in its
        base.conf
    """
    first = min(series, default=None)
    changes = by_change(series)
    for name, (listed, patches) in series.items():
        headings, wanted = (
            [(topic.name, topic.needs) for topic in each.topics.values()]
            for each in (listed, series[first][0]))
        if headings != wanted:
            yield ('%s/series' % name,
                   'its topics are not those of %s: give both the same lines '
                   '"# topic …" in the same order, also for a topic that one '
                   'has no patch of' % first)
            continue
        topics = listed.topics.of_patches()
        for patch in patches:
            topic = changes.get(numbering.key(patch))
            if topics.get(patch.name) != topic:
                yield ('%s/series' % name,
                       '%s is of topic %s here and of %s in another base: '
                       'move it, or the line "# topic …"' %
                       (patch.name, topics.get(patch.name), topic))
        present = listed.topics.with_needs(listed.topics)
        if set(recorded[name]) != set(present):
            yield ('%s/base.conf' % name,
                   'its section [topics] names %s, and the series has %s: '
                   'write it by "nova-volops patch export"' % (
                       ', '.join(recorded[name]) or 'none',
                       ', '.join(present) or 'none'))
