# SPDX-License-Identifier: Apache-2.0

"""An ML2 mechanism driver that binds every port on every host.

Where VOLOPS_VIF_TYPE is ``tap``, Nova makes a tap device for it; where it is
``bridge``, libvirt does, on its host's bridge, which Nova makes for the first.
"""

import os

# Lists of ports look at an attribute that this model gives a port, whether or
# not its service plugin is on.
from neutron.db.models import port_forwarding  # noqa: F401
from neutron_lib.api.definitions import portbindings
from neutron_lib import constants
from neutron_lib.plugins.ml2 import api
from sqlalchemy import orm


class AnyHostMechanismDriver(api.MechanismDriver):
    """Binds at once, without an agent that would wire the port."""

    def initialize(self):
        orm.configure_mappers()

    def bind_port(self, context):
        segment = context.segments_to_bind[0]
        context.set_binding(
            segment[api.ID], os.environ['VOLOPS_VIF_TYPE'],
            {portbindings.VIF_DETAILS_BRIDGE_NAME: 'volops-' + context.host,
             # Else Nova would write rules into the machine's firewall.
             portbindings.CAP_PORT_FILTER: True},
            status=constants.PORT_STATUS_ACTIVE)
