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
"""Tells scenarios on a cloud that is up."""

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
    :param scenarios: modules with a NAME and a ``run(ctx)``
    :returns: a list of :class:`claims.Claim`
    """
    ctx = context.Context(cloud, show)
    ctx.scenario = 'before'
    _step(ctx, 'what an earlier run left can be deleted',
          lambda: _clear(ctx))
    for scenario in scenarios:
        ctx.scenario = scenario.NAME
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
    except exceptions.VolopsError as error:
        ctx.claim(text, False, error)
