# SPDX-License-Identifier: Apache-2.0

"""A volume attachment with a mode, as a resource of openstacksdk."""

from openstack.compute.v2 import volume_attachment
from openstack import resource

READ_ONLY = 'ro'
READ_WRITE = 'rw'


class VolumeAttachment(volume_attachment.VolumeAttachment):
    """openstacksdk's attachment and what the series adds to it."""

    #: How the guest may use the volume: ``ro`` or ``rw``.
    attach_mode = resource.Body('attach_mode')
