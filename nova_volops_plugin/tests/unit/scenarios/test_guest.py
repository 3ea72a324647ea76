# SPDX-License-Identifier: Apache-2.0

import itertools

import testtools

from nova_volops_plugin.scenarios import guest
from tempest_plugin.common import report

VOLUME = 'a26887c6-c47b-4654-abb5-dfadf7d3f803'
XML = '''<domain><devices>
<disk type="file"><target dev="vda" bus="virtio"/></disk>
<disk type="network"><target dev="vdb"/><serial>%s</serial><readonly/></disk>
<disk type="network"><target dev="vdc"/><serial>x</serial><shareable/></disk>
</devices></domain>''' % VOLUME
CONSOLE = '''volops tag=alpha boot=3f1c tick=%d
volops disk=vdb size=1073741824 serial=a26887c6-c47b-4654-a ro=%d head=00 \
write=%s
'''


def _report(tick, readonly, write):
    return CONSOLE % (tick, readonly, write)


class TestDisks(testtools.TestCase):

    def test_definition(self):
        self.assertEqual(
            [(None, 'vda', False, False), (VOLUME, 'vdb', True, False),
             ('x', 'vdc', False, True)],
            [(disk.serial, disk.device, disk.defined_readonly,
              disk.shareable) for disk in guest.disks(XML)])

    def test_both_must_agree(self):
        # Neither what the hypervisor was told nor what the kernel says is
        # enough, where the guest was able to try.
        for defined, seen, done in itertools.product((True, False), repeat=3):
            disk = guest.Disk(VOLUME, 'vdb', defined, False, report.Disk(
                'vdb', 1, seen, VOLUME[:20], '', done))
            self.assertEqual(
                defined and seen and not done, disk.readonly, str(disk))
            self.assertEqual(
                not defined and not seen and done, disk.writable, str(disk))

    def test_definition_counts_for_silent_guests(self):
        for defined in (True, False):
            disk = guest.Disk(VOLUME, 'vdb', defined, False)
            self.assertEqual((defined, not defined),
                             (disk.readonly, disk.writable))


class TestLastReport(testtools.TestCase):

    def test_only_what_is_new_and_whole(self):
        before = _report(1, 0, 'ok')
        self.assertIsNone(guest.last_report(before, before))
        # The second report may still be going on.
        now = before + _report(2, 1, 'Operation-not-permitted')
        self.assertIsNone(guest.last_report(before, now))
        now += _report(3, 0, 'ok')
        disk = guest.last_report(before, now).disk_of(VOLUME)
        self.assertEqual((True, False), (disk.read_only, disk.writable))
