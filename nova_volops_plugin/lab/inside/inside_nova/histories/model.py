# SPDX-License-Identifier: Apache-2.0

"""The expected state after the accepted requests of a history."""

import collections

Device = collections.namedtuple(
    'Device', 'id server volume boot_index attachment no_device',
    defaults=(None, None))
_Write = collections.namedtuple('_Write', 'text device')


class Model:
    """Knows which writes must be on which device, and what is read-only.

    A device is one block device of a server, whatever volume it is on: what a
    guest wrote to it moves with it when its volume is swapped.
    """

    def __init__(self):
        self._modes = {}
        self._read_only = set()
        self._devices = {}
        self._writes = []
        self._count = 0

    def attached(self, server, volume, mode):
        """A request to attach was accepted."""
        self._modes[server, volume] = mode

    def observe(self, devices):
        """Take down which devices there are.

        :param devices: an iterable of :class:`Device`
        """
        now = {device.id: device for device in devices}
        for device in now.values():
            if device.id not in self._devices and self._modes.get(
                    (device.server, device.volume)) == 'ro':
                self._read_only.add(device.id)
        self._gone = set(self._devices) - set(now)
        self._devices.update(now)

    def wrote(self, server, volume):
        """A guest writes to a volume; return what."""
        self._count += 1
        text = '%s writes %d' % (server, self._count)
        self._writes += [
            _Write(text, device.id) for device in self._devices.values()
            if (device.server, device.volume) == (server, volume) and
            device.id not in self._gone]
        return text

    def rebuilt(self, server):
        """What was on a server's root volume need not be there any more."""
        self._forget(lambda device: device.server == server and
                     device.boot_index == 0)

    def left_behind(self, server, volume):
        """A server got another volume without the data."""
        self._forget(lambda device: (device.server, device.volume) == (
            server, volume))

    def overwritten(self, volume):
        """A volume that nobody had got other data."""
        self._forget(lambda device: device.volume == volume and
                     device.id in self._gone)

    def given_away(self, volume):
        """Somebody else has a volume: what is on it is theirs."""
        self._forget(lambda device: device.volume == volume)

    def _forget(self, is_it):
        self._writes = [write for write in self._writes
                        if not is_it(self._devices[write.device])]

    def read_only(self, server, volumes):
        """Return those of the volumes that a server has read-only."""
        return sorted(
            device.volume for device in self._devices.values()
            if device.server == server and device.volume in volumes and
            device.id in self._read_only and device.id not in self._gone)

    def lost(self, contents):
        """Yield the volume and the text of writes that are not there.

        :param contents: what is on each volume, by its UUID
        """
        for write in self._writes:
            device = self._devices[write.device]
            if write.text not in contents[device.volume]:
                yield device.volume, write.text
