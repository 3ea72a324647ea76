# SPDX-License-Identifier: Apache-2.0

"""Runs scenarios on a cloud that is up."""

from openstack import exceptions as sdk_exceptions

from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import catalog
from nova_volops_plugin.scenarios import context
from nova_volops_plugin.scenarios import hosts


def run(cloud, show=lambda line: None, scenarios=catalog.SCENARIOS):
    """Tell the scenarios, each to its end; clean up after each.

    A scenario that cannot go on leaves a failed claim. What a killed run left
    is taken away first.

    :param cloud: a :class:`nova_volops_plugin.cloud.base.Cloud` that is up
    :param show: called with one line of the story at a time
    :param scenarios: modules with a NAME, a ``run(ctx)`` and the FEATURE that
        they are about, without which they need all
    :returns: a list of :class:`claims.Claim`
    """
    ctx = context.Context(cloud, show)
    ctx.scenario = 'before'
    _step(ctx, 'what an earlier run left can be deleted',
          lambda: _clear(ctx))
    for scenario in scenarios:
        ctx.scenario = scenario.NAME
        missing = ctx.missing(getattr(scenario, 'FEATURE', None))
        if missing:
            ctx.skip('the story comes to its end', missing)
            continue
        try:
            _step(ctx, 'the story comes to its end',
                  lambda: scenario.run(ctx))
        finally:
            _step(ctx, 'what it made can be deleted', ctx.clean_up)
    return ctx.claims


def _clear(ctx):
    ctx.heal()
    hosts.bring_back(ctx)
    ctx.clear_leftovers()


def _step(ctx, text, step):
    try:
        step()
    except (exceptions.VolopsError, sdk_exceptions.SDKException) as error:
        ctx.claim(text, False, error)
