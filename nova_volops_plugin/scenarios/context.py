# SPDX-License-Identifier: Apache-2.0

"""The context of a scenario: a cloud, its guests, its claims."""

import dataclasses

from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.scenarios import claims
from nova_volops_plugin.scenarios import guest
from nova_volops_plugin.scenarios import resources
from nova_volops_plugin.sdk import microversions

NO_DISK = 'the guest has no such disk'


class Context(resources.Resources):
    """Handed to each scenario.

    :param cloud: a :class:`nova_volops_plugin.cloud.base.Cloud` that is up
    :param show: called with one line of the story at a time
    """

    def __init__(self, *args):
        super().__init__(*args)
        self.claims = []
        self.scenario = None

    def version(self, feature):
        """Return the feature's compute API version on this cloud's base."""
        return microversions.of(self.cloud.base.name, feature)

    def missing(self, feature):
        """Say what the cloud lacks of what is needed; None for nothing.

        :param feature: one of :data:`series.features.FEATURES`, None for all
        """
        only = self.cloud.only
        if not only or feature in self.cloud.features:
            return None
        if feature:
            return 'this Nova has only %s, not %s' % (
                ', '.join(only), feature)
        return 'it needs the whole series, this Nova has only ' + ', '.join(
            only)

    def tell(self, text):
        """Show a sentence of the story."""
        self._show(text)

    def claim(self, text, holds, evidence):
        """Record whether something is as it ought to be.

        :param text: what ought to be true
        :param holds: whether it is
        :param evidence: what was seen; shown with str()
        """
        self._record(text, result.of(holds), evidence)

    def claim_server(self, text, server, status='ACTIVE'):
        """Claim that a server comes to a status; return the server."""
        shown = self.wait_for_server(server, status, 'SHUTOFF', 'ERROR')
        self.claim(text, shown['status'] == status,
                   'the server is ' + shown['status'])
        return shown

    def claim_volume(self, text, volume, status='available'):
        """Claim that a volume has a status."""
        found = (self.volume(volume) or {'status': 'gone'})['status']
        self.claim(text, found == status, 'the volume is ' + found)

    def claim_disk(self, text, server, volume, readonly=False):
        """Claim that a guest has a volume that it can write to, or cannot.

        :returns: as :meth:`disk`
        """
        disk = self.disk(server, volume)
        self.claim(text, bool(disk and (
            disk.readonly if readonly else disk.writable)), disk or NO_DISK)
        return disk

    def skip(self, text, missing):
        """Record that a claim cannot be checked here.

        :param missing: what this cloud lacks
        """
        self._record(text, result.SKIPPED, missing)

    def _record(self, text, came, evidence):
        claim = claims.Claim(
            self.scenario, text, came, self._named(str(evidence)))
        self.claims.append(claim)
        self._show('   %s: %s (%s)' % (came, text, claim.evidence))

    def fault(self, call, code):
        """Make Cinder refuse the next call of a kind.

        :param call: the name of Nova's method for it
        :param code: the HTTP status of the refusal
        :returns: whether this cloud can do so
        """
        return self.cloud.faults.refuse(call) or self.call(
            'POST', '/faults', {'fault': {'call': call, 'code': code}},
            service='block_storage').ok

    def heal(self):
        """Take back what fault() did."""
        self.cloud.faults.refuse()
        self._send('DELETE', '/faults', service='block_storage')

    def disk(self, server, volume):
        """Return what a server's guest has of a volume.

        :returns: a :class:`guest.Disk`, or None
        """
        disk = self.defined_disk(server, volume)
        if disk is None or not self.cloud.guests_run:
            return disk
        # What the guest itself says, once it says something new.
        return dataclasses.replace(
            disk, seen=self.report(server, volume).disk_of(volume))

    def defined_disk(self, server, volume):
        """Return the same, as a guest is defined that may be off."""
        try:
            found = guest.disks(self.cloud.domain_xml(server))
        except exceptions.VolopsError:
            return None
        return next((disk for disk in found if disk.serial == volume), None)

    def report(self, server, volume=None):
        """Wait until a guest reports anew; return the last whole report.

        :param volume: wait until it has this volume
        :returns: a :class:`tempest_plugin.common.report.Report`
        :raises VolopsError: it is silent
        """
        before = self._console(server)

        def look():
            report = guest.last_report(before, self._console(server))
            return report if report and (
                volume is None or report.disk_of(volume)) else None

        return self.wait('word of volume %s from server %s' % (
            volume, server) if volume else 'word from server %s' % server,
            look)

    def _console(self, server):
        try:
            return self.cloud.console(server)
        except exceptions.VolopsError:
            # It has not printed anything yet.
            return ''
