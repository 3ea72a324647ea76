# SPDX-License-Identifier: Apache-2.0

"""The scenarios in their order."""

from nova_volops_plugin import exceptions
from nova_volops_plugin.scenarios import attach_mode
from nova_volops_plugin.scenarios import buses
from nova_volops_plugin.scenarios import dangling
from nova_volops_plugin.scenarios import killed
from nova_volops_plugin.scenarios import leftovers
from nova_volops_plugin.scenarios import moves
from nova_volops_plugin.scenarios import multi_create
from nova_volops_plugin.scenarios import outage
from nova_volops_plugin.scenarios import reboot_cost
from nova_volops_plugin.scenarios import rebuild
from nova_volops_plugin.scenarios import sharing
from nova_volops_plugin.scenarios import shelved
from nova_volops_plugin.scenarios import swap_on_host

SCENARIOS = (
    attach_mode,
    buses,
    sharing,
    moves,
    multi_create,
    shelved,
    swap_on_host,
    rebuild,
    dangling,
    leftovers,
    outage,
    reboot_cost,
)
# Told only when they are asked for.
LONG_SCENARIOS = (killed,)


def choose(names):
    """Return the scenarios of these names, SCENARIOS when there are none.

    :raises BadInput: there is no scenario of a name
    """
    known = {scenario.NAME: scenario
             for scenario in SCENARIOS + LONG_SCENARIOS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise exceptions.BadInput(
            'there is no scenario %r; the scenarios are: %s' %
            (unknown[0], ', '.join(known)))
    return [scenario for name, scenario in known.items()
            if name in names] if names else list(SCENARIOS)
