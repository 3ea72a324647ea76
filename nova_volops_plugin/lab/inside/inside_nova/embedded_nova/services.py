# SPDX-License-Identifier: Apache-2.0

"""Nova's services as in its own functional tests."""

import functools
import importlib.util
import logging
import os
import sys

import fixtures
from nova.api import auth
from nova.tests import fixtures as nova_fixtures
from nova.tests.functional.libvirt import base
from nova.virt.libvirt import event
from nova.virt.libvirt import utils

from inside_nova.embedded_nova import cinder
from inside_nova.embedded_nova import guests
from inside_nova.embedded_nova import hosts as compute_hosts
from inside_nova.embedded_nova import locks

IDLE_SECONDS = 0.25
DOWN_SECONDS = 3600


class ProcessLogging(fixtures.Fixture):
    """Log to stderr in place of the memory that tests keep their log in."""

    def setUp(self):
        super().setUp()
        root = logging.getLogger()
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(
            '%(asctime)s %(levelname)s %(name)s %(message)s'))
        root.handlers[:] = [handler]
        root.setLevel(logging.INFO)
        for chatty in ('alembic', 'oslo_db.sqlalchemy',
                       'oslo_policy.policy'):
            logging.getLogger(chatty).setLevel(logging.WARNING)
        self.useFixture(fixtures.MonkeyPatch(
            'oslo_log.log.setup', lambda *args, **kwargs: None))


class EmbeddedNova(base.ServersTestBase):
    """One long functional test: API, conductor, scheduler and computes.

    :ivar cinder: the :class:`cinder.Cinder` that Nova's calls end in
    :ivar glance: Nova's GlanceFixture
    :ivar computes: the compute services by host name
    """

    def runTest(self):
        """Nothing: testtools wants a method, up() is the test."""

    def up(self, hosts):
        """Start everything.

        :param hosts: the names of the compute hosts, a list of str
        """
        self.setUp()
        self._connections = {}
        for host in hosts:
            self.start_compute(host)
            self.connect(host)

    def connect(self, host):
        """Let a compute's hypervisor know the others, and tell of events."""
        compute_hosts.name_calls(self.computes[host].manager)
        driver = self.computes[host].driver
        connection = driver._host.get_connection()
        connection.peers = self._connections
        connection.device_removed = functools.partial(_removed, driver)
        self._connections[host] = connection

    def setUp(self):
        self.stub_out('nova.tests.fixtures.StandardLogging', ProcessLogging)
        # Requests are answered as in a cloud: before the work is done.
        self.stub_out('nova.tests.fixtures.CastAsCallFixture',
                      lambda test: fixtures.Fixture())
        self.stub_out('nova.tests.fixtures.CinderFixture', cinder.Cinder)
        self.stub_out('nova.tests.fixtures.libvirt.Domain', guests.Domain)
        self.stub_out('nova.tests.fixtures.libvirt.Connection.defineXML',
                      guests.define)
        # The package has an attribute "nova" which is Nova itself.
        self.useFixture(fixtures.MockPatchObject(
            sys.modules['nova.tests.fixtures.nova'], 'ReaderWriterLock',
            locks.ReadersFirst))
        # A server stays SHELVED until it is offloaded.
        self.flags(shelved_offload_time=-1)
        # The clean-up asks whether there are credentials, which the fake
        # Cinder does not look at.
        self.flags(auth_type='password', group='cinder')
        # Services look this up once, when they start. No host may count as
        # down because the machine is slow, or because the last report was
        # made before a restart.
        self.flags(service_down_time=DOWN_SECONDS)
        super().setUp()
        # Nova's tests have the idle threads of pools look for work a hundred
        # times a second, so as to end at once; here that costs a third of
        # the time.
        self.stub_out('futurist._thread.ThreadWorker.MAX_IDLE_FOR',
                      IDLE_SECONDS)
        # There are no disks to make, but the folder that moves with a server.
        self.stub_out('nova.virt.libvirt.LibvirtDriver._create_image',
                      _create_folder)
        self.stub_out(
            'nova.virt.libvirt.LibvirtDriver._get_instance_disk_info',
            lambda *args: [])
        # A minimal system has no such program, and a big process takes long
        # to begin one.
        self.stub_out('nova.virt.libvirt.LibvirtDriver.get_host_uptime',
                      lambda driver: '')
        # No data is copied, so there is no qemu-img to end, which takes root.
        if importlib.util.find_spec('nova.virt.libvirt.volume_copy'):
            self.stub_out('nova.virt.libvirt.volume_copy.stop',
                          lambda instance: None)
        self.useFixture(compute_hosts.OwnHostNames())
        self.cinder.send_event = self._send_event
        # What the services say of themselves decides, as in a cloud whose
        # computes are all of this release.
        self.useFixture(nova_fixtures.AllServicesCurrent())
        self.stub_out(
            'nova.api.auth.NovaKeystoneContext._create_context',
            functools.partial(
                _with_request_id, auth.NovaKeystoneContext._create_context))

    def _send_event(self, name, server_id, tag):
        # The first microversion that knows all events of Cinder.
        api = self.api_fixture.alternative_admin_api
        api.microversion = '2.93'
        api.api_post('/os-server-external-events', {'events': [{
            'name': name, 'server_uuid': server_id, 'tag': tag}]})

    def wsgi_app(self):
        """Return the compute API as a WSGI application."""
        return self.api_fixture.app()

    def placement_app(self):
        """Return the placement API as a WSGI application."""
        from placement import deploy

        return deploy.loadapp(self.placement.fixture.conf_fixture.conf)

    def domains(self):
        """Yield the guests of the fake libvirt, each with its host's name."""
        for host, compute in self.computes.items():
            for domain in compute.driver._host.get_connection()._vms.values():
                yield host, domain

    def domain_xml(self, server_id):
        """Return the fake libvirt's definition of a server's guest.

        :param server_id: the server's UUID
        :returns: the XML as str, or None where there is no guest
        """
        found = None
        for _host, domain in self.domains():
            if domain.UUIDString() == server_id:
                found = domain.XMLDesc(0)
                if domain.isActive():
                    break
        return found


def _with_request_id(create, environ, **kwargs):
    """Make a request's context with the id that its answer has.

    The contexts of Nova's fixture have others, by which no client could find
    what it began.
    """
    context = create(environ, **kwargs)
    context.request_id = environ['openstack.request_id']
    return context


def _removed(driver, server_id, alias):
    driver.emit_event(event.DeviceRemovedEvent(server_id, alias))


def _create_folder(driver, context, instance, *args, **kwargs):
    os.makedirs(utils.get_instance_path(instance), exist_ok=True)
    return False, False
