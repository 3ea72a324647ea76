# SPDX-License-Identifier: Apache-2.0

"""Runs the steps of stories, and reports their results."""

from inside_nova.embedded_nova import program
from inside_nova.mixed_nova import both_patched
from inside_nova.mixed_nova import steps
from inside_nova.mixed_nova import stories


def take(cloud, story):
    """Take the steps of a story; yield a dict of what came of each."""
    for name, wanted, found in story(cloud):
        yield {'story': story.__name__, 'step': name,
               'wanted': str(wanted), 'found': str(found),
               'as_wanted': wanted == found, 'broken': cloud.broken()}


def run(nova, series, names, both=False):
    """Take the steps; yield a dict of what came of each.

    :param nova: a :class:`cloud.Controllers`
    :param series: whether the controllers have the series
    :param names: of the steps, by default all
    :param both: whether the other process has the series, too
    """
    chosen = stories.CONTROLLERS_FIRST if series else stories.COMPUTES_FIRST
    if both:
        chosen = both_patched.SERIES_ON_BOTH
    program.require('story', names, [story.__name__ for story in chosen])
    for story in chosen:
        if names and story.__name__ not in names:
            continue
        cloud = steps.Cloud(nova)
        yield from take(cloud, story)
        yield {'story': story.__name__, 'step': 'delete all',
               'wanted': '', 'found': '', 'as_wanted': True,
               'broken': cloud.clear()}
