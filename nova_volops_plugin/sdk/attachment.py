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
"""A volume attachment that has a mode, as a resource of openstacksdk."""

from openstack.compute.v2 import volume_attachment
from openstack import resource

READ_ONLY = 'ro'
READ_WRITE = 'rw'


class VolumeAttachment(volume_attachment.VolumeAttachment):
    """openstacksdk's attachment and what the series adds to it."""

    #: How the guest may use the volume: ``ro`` or ``rw``.
    attach_mode = resource.Body('attach_mode')
