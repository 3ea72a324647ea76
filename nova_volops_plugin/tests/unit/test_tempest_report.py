# SPDX-License-Identifier: Apache-2.0

import testtools

from tempest_plugin.common import report

VOLUME = '8d1f0c7b-2a94-4386-b7f0-8c3d21e6a95f'
BEGIN = 'volops tag=%s boot=3f1c9a7b tick=%d\n'
DISKS = '''\
[    1.2] virtio_blk virtio2: [vdb] 2097152 512-byte logical blocks
volops disk=vda size=25165824 serial= ro=0 head=.X.SYSLINUX..... image=ALPHA
volops disk=vdb size=1073741824 serial=8d1f0c7b-2a94-4386-b ro=1 head=.... \
born=- last=- write=Operation-not-permitted forced=I/O-error\r
[    9.9] a line of the kernel in between
volops disk=vdc size=1073741824 serial=x ro=0 head=.... born=a last=b write=ok
volops disk=vdd size=1073741824 serial=y ro=1 head=.... born=- last=- \
write= forced=ok
'''


class ParserTest(testtools.TestCase):

    def one(self):
        seen, = report.Parser().reports(
            BEGIN % ('alpha', 7) + DISKS + BEGIN % ('alpha', 8))
        return seen

    def test_one_report(self):
        seen = self.one()
        self.assertEqual((7, 'alpha', '3f1c9a7b'),
                         (seen.number, seen.image, seen.boot))
        self.assertEqual(
            (report.Disk('vda', 25165824, False, '', '.X.SYSLINUX.....', None),
             report.Disk('vdb', 1073741824, True, '8d1f0c7b-2a94-4386-b',
                         '....', False),
             report.Disk('vdc', 1073741824, False, 'x', '....', True, 'a',
                         'b'),
             report.Disk('vdd', 1073741824, True, 'y', '....', True)),
            seen.disks)

    def test_a_write_that_ended_without_a_word(self):
        seen, = report.Parser().reports(
            BEGIN % ('alpha', 1) + 'volops disk=vdb size=512 serial= ro=1 '
            'head=. write= forced=\n' + BEGIN % ('alpha', 2))
        self.assertIs(False, seen.disks[0].writable)

    def test_disk_of_a_volume(self):
        seen = self.one()
        self.assertEqual('vdb', seen.disk_of(VOLUME).name)
        self.assertIsNone(seen.disk_of('9' + VOLUME[1:]))

    def test_unfinished_reports_do_not_count(self):
        parser = report.Parser()
        self.assertEqual([], parser.reports(BEGIN % ('alpha', 7) + DISKS))
        # The tail of a log may start within a report.
        self.assertEqual([], parser.reports(DISKS + BEGIN % ('alpha', 8)))

    def test_oldest_first(self):
        text = ''.join(BEGIN % ('alpha', number) for number in (4, 5, 6))
        self.assertEqual([4, 5], [
            seen.number for seen in report.Parser().reports(text)])

    def test_lines_of_another_guest(self):
        parser = report.Parser(
            begin=r'^<(?P<number>\d+) (?P<image>\w+)',
            disk=r'^(?P<name>\w+)/(?P<size>\d+)/(?P<ro>[01])/(?P<serial>\S+)/'
                 r'(?P<head>\w+)')
        seen, = parser.reports('<7 alt\nsda/512/0/abc/00\n<8 alt\n')
        self.assertEqual('alt', seen.image)
        self.assertEqual((report.Disk('sda', 512, False, 'abc', '00', None),),
                         seen.disks)


class NewerTextTest(testtools.TestCase):

    def test_appended(self):
        self.assertEqual('c\n', report.newer_text('a\nb\n', 'a\nb\nc\n'))
        self.assertEqual('', report.newer_text('a\n', 'a\n'))
        self.assertEqual('a\n', report.newer_text('', 'a\n'))

    def test_only_the_tail_of_the_log_is_shown(self):
        lines = ['line %d\n' % number for number in range(300)]
        old, new = ''.join(lines[:200]), ''.join(lines[100:205])
        self.assertEqual(''.join(lines[200:205]),
                         report.newer_text(old, new))

    def test_log_began_anew(self):
        self.assertEqual('fresh\n', report.newer_text('stale\n', 'fresh\n'))
