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

"""What a guest says of its block devices: the lines and their meaning.

A guest prints one report every few seconds on its serial console, which any
project member can read through os-getConsoleOutput. A report is::

    volops: begin 7 image=one
    volops: disk vda size=1073741824 ro=0 serial=- head=eb58 write=skipped
    volops: disk vdb size=1073741824 ro=1 serial=8d1f… head=0000 write=refused
    volops: end 7
"""

import dataclasses
import re

BEGIN_PATTERN = r'^volops: begin (?P<number>\d+) image=(?P<image>\S+)'
DISK_PATTERN = (r'^volops: disk (?P<name>\S+) size=(?P<size>\d+) '
                r'ro=(?P<ro>[01]) serial=(?P<serial>\S+) '
                r'head=(?P<head>\S+) write=(?P<write>\S+)')
END_PATTERN = r'^volops: end (?P<number>\d+)'

# A virtio disk's serial holds no more of a volume's UUID than this.
SERIAL_LENGTH = 20


@dataclasses.dataclass(frozen=True)
class Disk:
    """One block device as the guest's kernel sees it.

    :param name: the kernel's name, for example ``vdb``
    :param size: bytes
    :param read_only: what the kernel says, bool
    :param serial: the first characters of the volume's UUID, '-' for none
    :param head: the first bytes in hexadecimal digits
    :param writable: True or False as a write ended, None when none was tried
    """

    name: str
    size: int
    read_only: bool
    serial: str
    head: str
    writable: bool | None


@dataclasses.dataclass(frozen=True)
class Report:
    """One complete report.

    :param number: the count of reports since boot
    :param image: what the guest's root was built as
    :param disks: a tuple of :class:`Disk` in the guest's order
    """

    number: int
    image: str
    disks: tuple

    def disk_of(self, volume_id):
        """The disk that is a volume, None when the guest does not have it.

        :param volume_id: the volume's UUID
        """
        serial = volume_id[:SERIAL_LENGTH]
        for disk in self.disks:
            if disk.serial[:SERIAL_LENGTH] == serial:
                return disk
        return None


class Parser:
    """Finds the reports in a console's text.

    :param begin: regular expression of a report's first line
    :param disk: regular expression of a line about a block device
    :param end: regular expression of a report's last line
    """

    def __init__(self, begin=BEGIN_PATTERN, disk=DISK_PATTERN,
                 end=END_PATTERN):
        self.begin = re.compile(begin)
        self.disk = re.compile(disk)
        self.end = re.compile(end)

    def reports(self, text):
        """All complete reports of a text, oldest first.

        Other lines, the kernel's for example, may stand between a report's
        own. A report without its end is left out.

        :param text: str
        :returns: a list of :class:`Report`
        """
        found = []
        number, image, disks = None, None, []
        for line in text.splitlines():
            line = line.strip()
            if match := self.begin.search(line):
                number, image = int(match['number']), match['image']
                disks = []
            elif match := self.disk.search(line):
                disks.append(self._disk(match))
            elif match := self.end.search(line):
                if number is not None and int(match['number']) == number:
                    found.append(Report(number, image, tuple(disks)))
                number = None
        return found

    @staticmethod
    def _disk(match):
        return Disk(
            name=match['name'], size=int(match['size']),
            read_only=match['ro'] == '1', serial=match['serial'],
            head=match['head'],
            writable={'ok': True, 'refused': False}.get(match['write']))


def newer_text(old, new):
    """The part of a console's text that was printed after an earlier look.

    Nova answers with the last part of the log only, and the log begins anew
    when the guest's definition does.

    :param old: the text seen earlier
    :param new: the text seen now
    :returns: str
    """
    if new.startswith(old):
        return new[len(old):]
    tail = old[-400:]
    position = new.rfind(tail)
    if position < 0:
        return new
    return new[position + len(tail):]
