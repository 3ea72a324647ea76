# SPDX-License-Identifier: Apache-2.0

"""The cloud of all cases.

It is the embedded one with three differences: what a service casts is done
when the cast returns, so that no case waits by the clock; waits that are
seconds in production are hundredths; and there is no network.
"""

import collections
import importlib.util
import json
import time

from lxml import etree
from nova.conductor import manager as conductor_manager
import nova.conf
from nova import context as nova_context
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova import objects
from nova.volume import reservation
from oslo_log import log as logging

from inside_nova.embedded_nova import casts
from inside_nova.embedded_nova import hosts
from inside_nova.embedded_nova import services
from inside_nova.fault_matrix import crash
from inside_nova.fault_matrix import host_calls

CONF = nova.conf.CONF
LOG = logging.getLogger(__name__)

HOSTS = ('compute1', 'compute2')
REIMAGE_SECONDS = 0.05
# To give up a wait takes both: so a busy machine, where a wait is long and
# little is done meanwhile, is no failure.
SETTLE_SECONDS = 5
SETTLE_CPU_SECONDS = 1
# Seconds, of which the age of a request that was made just now is more.
NO_AGE = -1
# No call of a healthy service is given up, however busy the machine.
RPC_SECONDS = 1800


class Answer:
    """What the compute API answered.

    :ivar code: the HTTP status, an int
    :ivar body: the decoded JSON, or the text where there is none
    """

    def __init__(self, response):
        self.code = response.status_code
        try:
            self.body = response.json()
        except ValueError:
            self.body = response.text


class _NoAnswer:
    """The API stopped: who asked it sees the connection break."""

    code = 502
    body = ''


NO_ANSWER = _NoAnswer()


class MatrixNova(services.EmbeddedNova):
    """Nova with two computes whose casts are done when they return.

    :ivar rules: Nova's CinderStatusFixture
    :ivar crashes: a :class:`crash.Crashes`
    :ivar host_calls: a :class:`host_calls.HostCalls`
    """

    def setUp(self):
        super().setUp()
        self.rules = self.cinder.rules
        self.crashes = self.useFixture(crash.Crashes())
        self.host_calls = self.useFixture(host_calls.HostCalls())
        self.api = self.api_fixture.admin_api
        self.api.microversion = 'latest'
        self.flags(rpc_response_timeout=RPC_SECONDS)
        self.flags(
            reimage_poll_interval=0.1, reimage_timeout_min=3,
            reimage_timeout_per_gb=1)
        self.useFixture(casts.WaitForCasts())
        self.useFixture(hosts.OwnConnectors())
        for name, new in (
                ('nova.volume.reservation.RETRY_INTERVALS',
                 tuple(0.01 for _ in reservation.RETRY_INTERVALS)),
                ('inside_nova.embedded_nova.cinder.REIMAGE_SECONDS',
                 REIMAGE_SECONDS),
                ('nova.virt.libvirt.volume_copy.copy', lambda *args: None)):
            self.stub_out(name, new)
        if hasattr(conductor_manager, 'ATTACH_RETRY_INTERVALS'):
            self.stub_out('nova.conductor.manager.ATTACH_RETRY_INTERVALS',
                          (0.01, 0.02))
        if importlib.util.find_spec('nova.compute.attachment_view'):
            # All requests look as if they had been made long ago.
            self.stub_out('nova.compute.attachment_view._age',
                          lambda moment: CONF.compute.dangling_attachment_age)
            from nova.objects import volume_audit

            suspects = volume_audit.VolumeAudit.get_suspects
            self.stub_out('nova.objects.volume_audit.VolumeAudit.get_suspects',
                          lambda audit, host, age, max_age: suspects(
                              audit, host, NO_AGE, max_age))
        if importlib.util.find_spec('nova.compute.shelved_swap'):
            # No message is on its way when the periodic task looks.
            self.stub_out('nova.compute.shelved_swap._REQUEST_AGE', 0)

    def call(self, method, path, body=None):
        """Ask the compute API for something, as an administrator.

        :returns: an :class:`Answer`
        """
        return Answer(self.api.api_request(
            path, method=method,
            body=json.dumps(body) if body is not None else None))

    @staticmethod
    def disks(domain):
        """Return the volumes that a guest's definition has.

        :returns: the sorted list of the serial numbers of its disks
        """
        return sorted(
            serial.text for serial in etree.fromstring(
                domain.XMLDesc(0)).findall('./devices/disk/serial'))

    def wait(self, what, is_so):
        """Wait until something is so; return whether it became so.

        :param what: a name of it for the log
        :param is_so: a callable without arguments
        """
        deadline = time.monotonic() + SETTLE_SECONDS
        busy = time.process_time() + SETTLE_CPU_SECONDS
        while not is_so():
            if time.monotonic() > deadline and time.process_time() > busy:
                LOG.error('gave up waiting for %s', what)
                return False
            time.sleep(0.02)
        return True

    def restart(self):
        """Start all computes anew, with the guests they have."""
        for host in HOSTS:
            self.restart_compute_service(host)
            self.connect(host)
        self.repair()

    def repair(self):
        """Run the periodic task that a compute begins with."""
        context = nova_context.get_admin_context()
        for compute in self.computes.values():
            # The release does not have it.
            task = getattr(compute.manager, '_repair_volume_attachments', None)
            if task:
                task(context)

    def recover(self, host):
        """Have a compute clean up after its servers were evacuated."""
        compute = self.computes[host].manager
        context = nova_context.get_admin_context()
        nodes = {node.uuid: node for node in
                 objects.ComputeNodeList.get_all_by_host(context, host)}
        compute._destroy_evacuated_instances(context, nodes)

    def allocations(self):
        """Return what placement holds: host names by consumer's UUID."""
        found = collections.defaultdict(list)
        for host, provider in self.compute_rp_uuids.items():
            for consumer in self.placement.get(
                    '/resource_providers/%s/allocations' % provider).body[
                        'allocations']:
                found[consumer].append(host)
        return {consumer: sorted(hosts) for consumer, hosts in found.items()}

    def reset(self):
        """Forget all volumes, attachments, allocations and guests.

        A request to build that a stop left is forgotten, too.
        """
        self.notifier.reset()
        context = nova_context.get_admin_context()
        with api_db.context_manager.writer.using(context):
            context.session.query(api_models.BuildRequest).delete()
        for consumer in self.allocations():
            self.placement.delete('/allocations/' + consumer)
        self.cinder.volume_to_attachment.clear()
        self.rules._volumes.clear()
        self.rules._deleted_volumes.clear()
        self.rules.heal()
        for compute in self.computes.values():
            connection = compute.driver._host.get_connection()
            connection._vms.clear()
            connection._running_vms.clear()
