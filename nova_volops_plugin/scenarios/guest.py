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
"""What a guest has of its disks, from the hypervisor's definition of it."""

import dataclasses
from xml.etree import ElementTree


@dataclasses.dataclass(frozen=True)
class Disk:
    """One disk of a domain.

    :param serial: the UUID of the volume, None for other disks
    :param device: the name of the device, for example ``vdb``
    :param readonly: whether the guest cannot write to it
    :param shareable: whether another guest may have it too
    """

    serial: str | None
    device: str
    readonly: bool
    shareable: bool

    def __str__(self):
        return '<disk> %s: %s' % (self.device, ', '.join(
            ['<readonly/>' if self.readonly else 'no <readonly/>'] +
            ['<shareable/>'] * self.shareable))


def disks(xml):
    """Return the disks of a domain, a list of :class:`Disk`.

    :param xml: libvirt's domain XML, a str
    """
    return [
        Disk(serial=element.findtext('serial'),
             device=element.find('target').get('dev'),
             readonly=element.find('readonly') is not None,
             shareable=element.find('shareable') is not None)
        for element in ElementTree.fromstring(xml).findall('./devices/disk')]
