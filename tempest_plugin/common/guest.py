# SPDX-License-Identifier: Apache-2.0

"""Guests asked for what they see, by console or by SSH."""

import time

from tempest.lib import exceptions as lib_exc

from tempest_plugin.common import report

# Prints a report as a console does. The write gives a sector's own bytes back
# to it; the root disk, which comes first, is spared.
REPORT_SCRIPT = r"""
echo "volops tag=$(cat ~/volops-system 2>/dev/null || echo none) boot=0 tick=1"
root=1
for path in /sys/block/[vs]d*; do
    name=${path##*/}
    serial=$(cat "$path/serial" 2>/dev/null)
    if [ -z "$serial" ]; then
        serial=$(tail -c +5 "$path/device/vpd_pg80" 2>/dev/null)
    fi
    line="disk=$name size=$(($(cat "$path/size") * 512)) serial=$serial"
    line="$line ro=$(cat "$path/ro")"
    line="$line head=$(sudo dd if="/dev/$name" bs=16 count=1 2>/dev/null |
        od -An -tx1 | tr -d ' \n')"
    if [ "$root" = 0 ]; then
        write=refused
        sudo dd if="/dev/$name" of="/dev/$name" bs=512 count=1 \
            conv=notrunc,fsync 2>/dev/null && write=ok
        line="$line write=$write"
    fi
    root=0
    echo "volops $line"
done
echo "volops tag=end boot=0 tick=2"
"""


class Guest:
    """A server seen from inside.

    :param timeout: seconds after which :meth:`wait_for` gives up
    :param interval: seconds between two looks
    """

    def __init__(self, timeout, interval):
        self.timeout = timeout
        self.interval = interval

    def report(self):
        """What the guest sees now, never what it saw before the call.

        :returns: a :class:`tempest_plugin.common.report.Report`
        :raises TimeoutException: when the guest says nothing
        """
        raise NotImplementedError()

    def mark_system(self):
        """Make this installation of the guest's system recognisable.

        :returns: what :class:`Report.image` is while it lasts
        """
        raise NotImplementedError()

    def wait_for(self, condition, what):
        """Ask until a report meets a condition.

        :param condition: a function of a report
        :param what: the condition in words
        :returns: the report that met it
        :raises TimeoutException: with the last report, when none did
        """
        deadline = time.monotonic() + self.timeout
        while True:
            seen = self.report()
            if condition(seen):
                return seen
            if time.monotonic() > deadline:
                raise lib_exc.TimeoutException(
                    'The guest did not see %s within %d s; its last report '
                    'is %s' % (what, self.timeout, seen))
            time.sleep(self.interval)


class ConsoleGuest(Guest):
    """A guest that prints its reports to the serial console.

    :param client: a servers client of the guest's project
    :param server_id: the server's UUID
    :param parser: a :class:`tempest_plugin.common.report.Parser`
    """

    def __init__(self, client, server_id, parser, timeout, interval):
        super().__init__(timeout, interval)
        self.client = client
        self.server_id = server_id
        self.parser = parser

    def report(self):
        before = self._text()
        deadline = time.monotonic() + self.timeout
        while True:
            text = self._text()
            reports = self.parser.reports(report.newer_text(before, text))
            if reports:
                return reports[-1]
            if time.monotonic() > deadline:
                raise lib_exc.TimeoutException(
                    'Server %s printed no report on its console within '
                    '%d s; the console ends with: %s' % (
                        self.server_id, self.timeout, text[-1000:]))
            time.sleep(self.interval)

    def mark_system(self):
        # The image itself bears the mark.
        return self.report().image

    def _text(self):
        try:
            return self.client.get_console_output(self.server_id)['output']
        except lib_exc.Conflict:
            # A server that has just been started has no console yet.
            return ''


class SSHGuest(Guest):
    """A guest that is logged in to.

    :param connect: a function that returns a new
        :class:`tempest.common.utils.linux.remote_client.RemoteClient`
    :param mark: what to mark the system with, str without blanks
    """

    def __init__(self, connect, mark, timeout, interval):
        super().__init__(timeout, interval)
        self.connect = connect
        self.mark = mark

    def report(self):
        text = self.connect().exec_command(REPORT_SCRIPT)
        reports = report.Parser().reports(text)
        if not reports:
            raise lib_exc.TimeoutException(
                'The guest printed no report: %s' % text)
        return reports[-1]

    def mark_system(self):
        self.connect().exec_command(
            'echo %s > ~/volops-system && sync' % self.mark)
        return self.mark
