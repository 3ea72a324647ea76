# SPDX-License-Identifier: Apache-2.0

"""What a guest says of its block devices: the lines and their meaning.

A guest prints one report every few seconds on its serial console, which any
project member can read through os-getConsoleOutput. A report is one line
about the guest and one about each block device::

    volops tag=alpha boot=3f1c tick=7
    volops disk=vda size=25165824 serial= ro=0 head=.X.SYSLINUX
    volops disk=vdb size=1073741824 serial=8d1f… ro=1 head=.... \
        born=3f1c last=3f1c:6 write=Operation-not-permitted \
        forced=Input/output-error

It is whole when the next one begins.
"""

import dataclasses
import re

BEGIN_PATTERN = (r'^volops tag=(?P<image>\S+) boot=(?P<boot>\S+) '
                 r'tick=(?P<number>\d+)')
DISK_PATTERN = (r'^volops disk=(?P<name>\S+) size=(?P<size>\d+) '
                r'serial=(?P<serial>\S*) ro=(?P<ro>[01]) '
                r'head=(?P<head>\S*)(?: born=(?P<born>\S+))?'
                r'(?: last=(?P<last>\S+))?(?:.* write=(?P<write>\S*))?'
                r'(?:.* forced=(?P<forced>\S*))?')

# A virtio disk's serial holds no more of a volume's UUID than this.
SERIAL_LENGTH = 20


@dataclasses.dataclass(frozen=True)
class Disk:
    """One block device as the guest's kernel sees it.

    :param name: the kernel's name, for example ``vdb``
    :param size: bytes
    :param read_only: what the kernel says, bool
    :param serial: the first characters of the volume's UUID, '' for none
    :param head: what stands for its first bytes
    :param writable: whether a write succeeded, were it by force; None when
        none was tried
    :param born: which boot of a guest wrote to it first, None when unknown
    :param last: which wrote to it last, and when, None when unknown
    """

    name: str
    size: int
    read_only: bool
    serial: str
    head: str
    writable: bool | None
    born: str | None = None
    last: str | None = None


@dataclasses.dataclass(frozen=True)
class Report:
    """One complete report.

    :param number: the count of reports since boot
    :param image: what the guest's root was built as
    :param disks: a tuple of :class:`Disk` in the guest's order
    :param boot: the guest's name for this boot, None when unknown
    """

    number: int
    image: str
    disks: tuple
    boot: str | None = None

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
    """

    def __init__(self, begin=BEGIN_PATTERN, disk=DISK_PATTERN):
        self.begin = re.compile(begin)
        self.disk = re.compile(disk)

    def reports(self, text):
        """All whole reports of a text, oldest first.

        Other lines, the kernel's for example, may stand between a report's
        own.

        :param text: str
        :returns: a list of :class:`Report`
        """
        found, begun, disks = [], None, []
        for line in text.splitlines():
            line = line.strip()
            if match := self.begin.search(line):
                if begun:
                    found.append(dataclasses.replace(
                        begun, disks=tuple(disks)))
                begun = Report(int(match['number']), match['image'], (),
                               match.groupdict().get('boot'))
                disks = []
            elif match := self.disk.search(line):
                disks.append(self._disk(match))
        return found

    @staticmethod
    def _disk(match):
        groups = match.groupdict()
        writes = [groups[name] for name in ('write', 'forced')
                  if groups.get(name) is not None]
        return Disk(
            name=match['name'], size=int(match['size']),
            read_only=match['ro'] == '1', serial=match['serial'],
            head=match['head'], writable='ok' in writes if writes else None,
            **{name: None if groups.get(name) == '-' else groups.get(name)
               for name in ('born', 'last')})


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
