# SPDX-License-Identifier: Apache-2.0

"""A guest's disks, by its definition and by its own reports."""

import dataclasses
from xml.etree import ElementTree

from tempest_plugin.common import report


@dataclasses.dataclass(frozen=True)
class Disk:
    """One disk of a guest.

    :param serial: the UUID of the volume, None for other disks
    :param device: the name of the device, for example ``vdb``
    :param defined_readonly: whether the hypervisor is told that the guest
        must not write to it
    :param shareable: whether another guest may have it too
    :param seen: what the guest says of it, a
        :class:`tempest_plugin.common.report.Disk`; None if it cannot speak
    """

    serial: str | None
    device: str
    defined_readonly: bool
    shareable: bool
    seen: report.Disk | None = None

    @property
    def readonly(self):
        """Whether nothing lets the guest write to it."""
        return self.defined_readonly and (self.seen is None or (
            self.seen.read_only and not self.seen.writable))

    @property
    def writable(self):
        """Whether nothing keeps the guest from writing to it."""
        return not self.defined_readonly and (self.seen is None or (
            not self.seen.read_only and self.seen.writable))

    def __str__(self):
        words = ['<readonly/>' if self.defined_readonly
                 else 'no <readonly/>'] + ['<shareable/>'] * self.shareable
        if self.seen:
            words.append('the guest sees ro=%d, its write was %s' % (
                self.seen.read_only, {
                    True: 'done', False: 'refused', None: 'not tried'
                }[self.seen.writable]))
        return '<disk> %s: %s' % (self.device, ', '.join(words))


def disks(xml):
    """Return the disks of a domain, a list of :class:`Disk`.

    :param xml: libvirt's domain XML, a str
    """
    return [
        Disk(serial=element.findtext('serial'),
             device=element.find('target').get('dev'),
             defined_readonly=element.find('readonly') is not None,
             shareable=element.find('shareable') is not None)
        for element in ElementTree.fromstring(xml).findall('./devices/disk')]


def last_report(before, now):
    """Return what a guest reported between two looks at its console.

    :param before: the console's text at the first look
    :param now: the text at the second
    :returns: the last whole :class:`tempest_plugin.common.report.Report`,
        or None
    """
    reports = report.Parser().reports(report.newer_text(before, now))
    return reports[-1] if reports else None
