# SPDX-License-Identifier: Apache-2.0

"""The faults of the real cloud."""

from nova_volops_plugin.cloud import faults
from nova_volops_plugin.cloud.real import cinder
from nova_volops_plugin.cloud.real import libvirt
from nova_volops_plugin.cloud.real import nova
from nova_volops_plugin.cloud.real import processes

UNITS_A_HOST = (libvirt.Libvirtd, nova.Compute)


class RealFaults(faults.Faults):
    """Every fault there is.

    :param layout: the :class:`layout.Layout` of the cloud
    :param unit: a function that returns the :class:`units.Service` of a name
    """

    def __init__(self, layout, unit):
        self._layout = layout
        self._unit = unit

    def stop(self, service):
        self._unit(service).down()
        return True

    def kill(self, service):
        processes.kill(self._layout, service)
        return True

    def lose_host(self, host):
        # From what uses the others to what they use.
        for kind in reversed(UNITS_A_HOST):
            kind(self._layout, host).down()
        return True

    def refuse(self, call=None):
        return cinder.refuse(self._layout, call)

    def forget_device(self, server, volume):
        nova.forget_device(self._layout, server, volume)
        return True

    def defer_deletes(self, wanted):
        nova.defer_deletes(self._layout, wanted)
        self._unit(nova.Api.name).down()
        return True
