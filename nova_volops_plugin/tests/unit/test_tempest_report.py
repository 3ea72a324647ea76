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

import testtools

from tempest_plugin.common import report

VOLUME = '8d1f0c7b-2a94-4386-b7f0-8c3d21e6a95f'
ONE = '''
[    1.2] virtio_blk virtio2: [vdb] 2097152 512-byte logical blocks
volops: begin 1 image=one
volops: disk vda size=25165824 ro=0 serial=- head=eb5890 write=skipped
volops: disk vdb size=1073741824 ro=1 serial=8d1f0c7b-2a94-4386-b head=00 \
write=refused\r
[    9.9] a line of the kernel in between
volops: disk vdc size=1073741824 ro=0 serial=x head=- write=ok
volops: end 1
'''


class ParserTest(testtools.TestCase):

    def test_one_report(self):
        seen, = report.Parser().reports(ONE)
        self.assertEqual((1, 'one'), (seen.number, seen.image))
        self.assertEqual(
            (report.Disk('vda', 25165824, False, '-', 'eb5890', None),
             report.Disk('vdb', 1073741824, True, '8d1f0c7b-2a94-4386-b',
                         '00', False),
             report.Disk('vdc', 1073741824, False, 'x', '-', True)),
            seen.disks)

    def test_disk_of_a_volume(self):
        seen, = report.Parser().reports(ONE)
        self.assertEqual('vdb', seen.disk_of(VOLUME).name)
        self.assertIsNone(seen.disk_of('9' + VOLUME[1:]))

    def test_unfinished_reports_do_not_count(self):
        begun = 'volops: begin 2 image=one\nvolops: disk vda size=1 ro=0 ' \
                'serial=- head=00 write=ok\n'
        self.assertEqual([], report.Parser().reports(begun))
        # The tail of a log may start within a report.
        self.assertEqual([], report.Parser().reports('volops: end 2\n'))
        seen, = report.Parser().reports(
            begun + 'volops: begin 3 image=one\nvolops: end 3\n')
        self.assertEqual((3, ()), (seen.number, seen.disks))

    def test_end_of_another_report(self):
        self.assertEqual([], report.Parser().reports(
            'volops: begin 2 image=one\nvolops: end 3\n'))

    def test_oldest_first(self):
        text = ''.join('volops: begin %d image=i\nvolops: end %d\n' % (n, n)
                       for n in (4, 5, 6))
        self.assertEqual([4, 5, 6], [
            seen.number for seen in report.Parser().reports(text)])

    def test_lines_of_another_guest(self):
        parser = report.Parser(
            begin=r'^<(?P<number>\d+) (?P<image>\w+)',
            disk=r'^(?P<name>\w+)/(?P<size>\d+)/(?P<ro>[01])/(?P<serial>\S+)/'
                 r'(?P<head>\w+)/(?P<write>\w+)',
            end=r'^(?P<number>\d+)>')
        seen, = parser.reports('<7 alt\nsda/512/0/abc/00/ok\n7>\n')
        self.assertEqual('alt', seen.image)
        self.assertEqual((report.Disk('sda', 512, False, 'abc', '00', True),),
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
