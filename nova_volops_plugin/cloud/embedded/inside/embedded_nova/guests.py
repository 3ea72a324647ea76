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

"""Guests of Nova's fake libvirt that remember what a disk may do."""

import copy

from lxml import etree
from nova.tests.fixtures import libvirt

KEPT = ('readonly', 'shareable', 'serial')


class Domain(libvirt.Domain):
    """A domain that shows the elements its disks were defined with.

    The fake libvirt tells of a disk only where it is. Whether it can be
    written to is what the features are about.
    """

    def __init__(self, connection, xml, *args, **kwargs):
        super().__init__(connection, xml, *args, **kwargs)
        self._kept = {}
        for disk in etree.fromstring(xml).findall('./devices/disk'):
            self._keep(disk)

    def _keep(self, disk):
        self._kept[disk.find('./target').get('dev')] = [
            element for element in disk if element.tag in KEPT]

    def attachDevice(self, xml):
        result = super().attachDevice(xml)
        if xml.startswith('<disk'):
            self._keep(etree.fromstring(xml))
        return result

    def XMLDesc(self, flags):
        tree = etree.fromstring(
            super().XMLDesc(flags), etree.XMLParser(remove_blank_text=True))
        for disk in tree.findall('./devices/disk'):
            for element in self._kept.get(
                    disk.find('./target').get('dev'), ()):
                if disk.find(element.tag) is None:
                    disk.append(copy.deepcopy(element))
        return etree.tostring(tree, encoding='unicode', pretty_print=True)
