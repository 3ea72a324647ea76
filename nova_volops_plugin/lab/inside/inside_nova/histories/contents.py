# SPDX-License-Identifier: Apache-2.0

"""The contents of each volume: the writes to it, in order.

Whatever changes a volume's data in a cloud changes it here: the writes of
guests, qemu-img, QEMU's block jobs, Cinder's migrations and re-images.
"""

import collections
import weakref

import fixtures
from lxml import etree
from nova.tests.fixtures import cinder_status
from nova.tests.fixtures import libvirt
from oslo_concurrency import processutils

from inside_nova.embedded_nova import guests


class Contents(fixtures.Fixture):
    """Follows the data of all volumes.

    It has to be set up before the CinderStatusFixture is.

    :ivar of: what was written to a volume, a tuple of str, by its UUID
    :ivar torn: pairs of volumes of which the first one was written to while
        it was copied to the other
    :ivar in_copy: called in the middle of each copy
    """

    def setUp(self):
        super().setUp()
        self.of = collections.defaultdict(tuple)
        self.torn = []
        self.in_copy = lambda: None
        self._stopped = set()
        self._domains = weakref.WeakSet()
        rules = cinder_status.CinderStatusFixture
        complete = rules._do_migrate_volume_completion
        end_reimage = rules._end_reimage

        def complete_migration(rules, notify, old, new, error=False):
            answer = complete(rules, notify, old, new, error)
            if answer['save_volume_id'] == old and not error:
                self.of[old] = self.of.pop(new, ())
                for domain in list(self._domains):
                    domain.rename(new, old)
            return answer

        def end(rules, volume, outcome):
            image = volume['reimage']['image_id']
            if outcome == 'success':
                self.of[volume['id']] = ('image ' + image,)
            return end_reimage(rules, volume, outcome)

        for name, method in (
                ('_do_migrate_volume_completion', complete_migration),
                ('_end_reimage', end)):
            self.useFixture(fixtures.MonkeyPatch(
                'nova.tests.fixtures.cinder_status.CinderStatusFixture.' +
                name, method))

    def follow_guests(self):
        """Have qemu-img and the guests copy what they are told to."""
        for name, value in (
                ('nova.virt.libvirt.volume_copy.copy', self._copy),
                ('nova.virt.libvirt.volume_copy.stop', self._stop),
                ('nova.tests.fixtures.libvirt.Domain', self._domain())):
            self.useFixture(fixtures.MonkeyPatch(name, value))

    def clear(self):
        self.of.clear()
        self.torn.clear()
        self.in_copy = lambda: None

    def _stop(self, instance):
        self._stopped.add(instance.uuid)

    def _copy(self, host, old_conf, new_conf, instance):
        # There was no qemu-img to end before.
        self._stopped.discard(instance.uuid)
        data = self.of[old_conf.serial]
        self.in_copy()
        if instance.uuid in self._stopped:
            raise processutils.ProcessExecutionError(
                cmd='qemu-img convert', exit_code=-9)
        self._copied(old_conf.serial, new_conf.serial, data)

    def _copied(self, old, new, data):
        if set(self.of[old]) - set(data):
            self.torn.append((old, new))
        self.of[new] = data

    def _domain(contents):

        class Domain(guests.Domain):
            """A domain whose disks can be copied to others."""

            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                contents._domains.add(self)

            def blockCopy(self, disk, xml, *args, **kwargs):
                new = etree.fromstring(xml)
                old = contents.of[self.serial(disk)]
                self._mirror = (disk, new, old)
                contents.in_copy()
                return 0

            def blockJobInfo(self, disk, flags):
                return {}

            def blockJobAbort(self, disk, flags=0):
                mirror = getattr(self, '_mirror', None)
                self._mirror = None
                if not mirror or not (
                        flags & libvirt.VIR_DOMAIN_BLOCK_JOB_ABORT_PIVOT):
                    return
                name, new, copied = mirror
                serial = new.find('./serial').text
                # What this guest wrote meanwhile went to both.
                own = tuple(
                    what for what in contents.of[self.serial(name)]
                    if what not in copied and
                    what.startswith(self.UUIDString()))
                contents._copied(self.serial(name), serial, copied + own)
                self._kept[name] = [
                    element for element in new if element.tag in guests.KEPT]

            def rename(self, volume, other):
                """Have the disk of a volume be that of another one."""
                for kept in self._kept.values():
                    for element in kept:
                        if element.text == volume:
                            element.text = other

            def serial(self, disk):
                return next((element.text for element in self._kept.get(
                    disk, ()) if element.tag == 'serial'), None)

        return Domain

    @staticmethod
    def writable(domain):
        """Return the volumes a guest can write to, a set of UUIDs."""
        found = set()
        if not domain.isActive():
            return found
        for disk in etree.fromstring(domain.XMLDesc(0)).findall(
                './devices/disk'):
            serial = disk.find('./serial')
            if serial is not None and disk.find('./readonly') is None:
                found.add(serial.text)
        return found
