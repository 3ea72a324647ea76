# SPDX-License-Identifier: Apache-2.0

"""Guests of Nova's fake libvirt with more realistic disks."""

import copy
from urllib import parse

from lxml import etree
from nova.tests.fixtures import libvirt

_DEFINE = libvirt.Connection.defineXML
KEPT = ('readonly', 'shareable', 'serial')


class Domain(libvirt.Domain):
    """A domain that tells all of its disks, and of their removal.

    The fake libvirt tells of a disk only where it is; whether it can be
    written to is what the features are about. It sends no events either, and
    Nova waits for the one about a disk that has been detached.
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

    def detachDeviceFlags(self, xml, flags):
        device = etree.fromstring(xml)
        if device.tag != 'disk':
            super().detachDeviceFlags(xml, flags)
            return
        # The fake has one definition for the guest that runs and the one
        # that is started next; the disk goes when the running guest loses it.
        live = flags & libvirt.VIR_DOMAIN_AFFECT_LIVE
        if self.isActive() and not live:
            return
        name = device.find('./target').get('dev')
        alias = _alias(name, etree.fromstring(self.XMLDesc(0)))
        super().detachDeviceFlags(xml, flags)
        if live and alias:
            self._connection.device_removed(self.UUIDString(), alias)

    def migrateToURI3(self, dconnuri, params, flags):
        # The fake's always fails. What Nova has for the target is what the
        # guest has there.
        target = self._connection.peers[parse.urlparse(dconnuri).hostname]
        guest = target.createXML(params['destination_xml'], 0)
        # Nova asks for VIR_MIGRATE_PERSIST_DEST.
        guest._transient = False
        self.complete_job()
        self.destroy()
        self.undefine()

    def undefine(self):
        # A guest that runs goes on without a definition until it stops.
        if self.isActive():
            self._transient = True
        else:
            super().undefine()

    def XMLDesc(self, flags):
        tree = etree.fromstring(
            super().XMLDesc(flags), etree.XMLParser(remove_blank_text=True))
        for disk in tree.findall('./devices/disk'):
            for element in self._kept.get(
                    disk.find('./target').get('dev'), ()):
                if disk.find(element.tag) is None:
                    disk.append(copy.deepcopy(element))
            if disk.find('./alias') is None:
                etree.SubElement(disk, 'alias', name='virtio-%s' %
                                 disk.find('./target').get('dev'))
        return etree.tostring(tree, encoding='unicode', pretty_print=True)


def define(connection, xml):
    """Define a domain; one that runs goes on as it is."""
    name = etree.fromstring(xml).findtext('./name')
    running = connection._vms.get(name)
    if running is None or not running.isActive():
        return _DEFINE(connection, xml)
    running._transient = False
    return running


def _alias(device, tree):
    for disk in tree.findall('./devices/disk'):
        if disk.find('./target').get('dev') == device:
            return disk.find('./alias').get('name')
    return None
