# SPDX-License-Identifier: Apache-2.0

"""The services of one process, connected to those of the other."""

import functools

import fixtures
from lxml import etree
from nova.compute import rpcapi as compute_rpcapi
from nova.conductor import rpcapi as conductor_rpcapi
from nova import context as nova_context
from nova.image import glance
from nova import objects
from nova.objects import base as objects_base
from nova.volume import cinder as volume_api
from oslo_config import cfg
from oslo_log import log as logging
from oslo_messaging._drivers import impl_fake
from oslo_utils.fixture import uuidsentinel

from inside_nova.embedded_nova import casts
from inside_nova.embedded_nova import hosts
from inside_nova.embedded_nova import services

CONF = cfg.CONF
LOG = logging.getLogger(__name__)

LOCAL = 'local'
REMOTE = 'remote'
# A host keeps the identity of its node when its code changes.
REMOTE_NODE = '6cc7e1ac-dbf1-42f3-a4ad-2ddd0b51ab31'
# An answer that does not come in it never comes.
RPC_SECONDS = 30

# The calls to Cinder that the status rules do not know.
MORE_CALLS = 'get_volume_encryption_metadata', 'get_all_volume_types'


class MixedNova(services.EmbeddedNova):
    """Nova's services, of which the other process has some.

    :ivar link: the :class:`link.Link` to the other process
    :ivar neighbours: that to the process with Cinder, Glance and Placement
    """

    def __init__(self, link, *args):
        super().__init__(*args)
        self.link = self.neighbours = link
        self._hypervisor = None
        self._has_cinder = True

    def setUp(self):
        # The services table says which releases there are.
        self.stub_out('nova.tests.fixtures.AllServicesCurrent',
                      fixtures.Fixture)
        super().setUp()
        self._deliver = impl_fake.FakeExchange.deliver_message

        def deliver(exchange, topic, ctxt, message, server=None,
                    fanout=False, reply_q=None):
            if self.is_elsewhere(topic, server):
                self._send(topic, ctxt, message, server, fanout, reply_q)
            else:
                self._deliver(exchange, topic, ctxt, message, server, fanout,
                              reply_q)

        self.useFixture(casts.WaitForCasts())
        self.flags(rpc_response_timeout=RPC_SECONDS)
        self.stub_out('oslo_messaging._drivers.impl_fake.FakeExchange.'
                      'deliver_message', deliver)
        self.useFixture(hosts.OwnConnectors())

    def is_elsewhere(self, topic, server):
        """Whether a message is for a service of the other process."""
        raise NotImplementedError

    def calls(self, series):
        """Return what the other process may call, a dict of callables.

        :param series: whether this process has the series
        """
        calls = {'receive': self.receive, 'guests': self.guests}
        if series:
            calls.update(cinder=self.serve_cinder, rules=self.serve_rules,
                         cinder_calls=self.cinder_calls)
        return calls

    # Messages.

    def _send(self, topic, ctxt, message, server, fanout, reply_q):
        # A connection to the database stays in its process.
        ctxt = {key: value for key, value in ctxt.items()
                if key not in ('db_connection', 'mq_connection')}
        call = functools.partial(
            self.link.call, 'receive', topic, ctxt, message, server, fanout,
            bool(reply_q))
        if not reply_q:
            call()
            return
        try:
            reply_q.put((call(), None))
        except Exception as error:
            reply_q.put((None, error))

    def receive(self, topic, ctxt, message, server, fanout, wait):
        """Deliver a message of the other process; return the reply."""
        ctxt.update(self.connections())
        replies = impl_fake.queue.Queue() if wait else None
        exchange = impl_fake.FakeExchangeManager(None).get_exchange(
            CONF.control_exchange)
        self._deliver(exchange, topic, ctxt, message, server, fanout, replies)
        if wait:
            reply, failure = replies.get(timeout=RPC_SECONDS)
            if failure:
                raise failure
            return reply

    def connections(self):
        """Return what a context has of the databases of this process."""
        return {'db_connection': None, 'mq_connection': None}

    # Cinder, which is the one of the series: it has the status rules.

    def serve_cinder(self, name, context, *args, **kwargs):
        """Call Cinder for the other process."""
        return getattr(volume_api.API(), name)(
            nova_context.RequestContext.from_dict(context), *args, **kwargs)

    def serve_rules(self, name, *args, **kwargs):
        """Call a method of the status rules, or ask for all volumes."""
        if name == 'ids':
            return self.cinder.ids()
        return getattr(self.cinder.rules, name)(*args, **kwargs)

    def rules(self, name, *args, **kwargs):
        """Do what :meth:`serve_rules` does, wherever Cinder is."""
        if self._has_cinder:
            return self.serve_rules(name, *args, **kwargs)
        return self.neighbours.call('rules', name, *args, **kwargs)

    def cinder_calls(self):
        """Return the names of all calls to Cinder that are served."""
        return [name[len('_do_'):] for name in dir(self.cinder.rules)
                if name.startswith('_do_')] + list(MORE_CALLS)

    def use_other_cinder(self):
        """Let all calls to Cinder end in the other process."""
        self._has_cinder = False
        for name in self.neighbours.call('cinder_calls'):
            def perform(_api, context, *args, _name=name, **kwargs):
                return self.neighbours.call(
                    'cinder', _name, context.to_dict(), *args, **kwargs)

            if hasattr(volume_api.API, name):
                self.stub_out('nova.volume.cinder.API.' + name, perform)

    def use_neighbours(self):
        """Let all calls to Placement and Glance end in the other process."""
        self.placement.fixture._client = _Placement(self.neighbours)
        for name in ('get', 'get_all', 'create', 'update', 'delete',
                     'download'):
            def perform(_api, context, *args, _name=name, **kwargs):
                return self.neighbours.call(
                    'images', _name, context.to_dict(), *args, **kwargs)

            self.stub_out('nova.image.glance.API.' + name, perform)

    # Hypervisors.

    def guests(self):
        """Return the guests of this process.

        :returns: a list of (host, server UUID, dict of volume UUID and
            whether its disk is read-only)
        """
        found = []
        for host, domain in self.domains():
            tree = etree.fromstring(domain.XMLDesc(0))
            found.append((host, domain.UUIDString(), {
                disk.findtext('serial'): disk.find('readonly') is not None
                for disk in tree.findall('./devices/disk[serial]')}))
        return found

    def stop(self, host):
        """Stop a compute, whose guests run on.

        :returns: the definitions of the guests, which this process forgets
        """
        compute = self.computes.pop(host)
        self.compute_rp_uuids.pop(host)
        self._hypervisor = compute.driver._host.get_connection()
        compute.stop()
        guests = [domain.XMLDesc(0)
                  for domain in self._hypervisor._vms.values()]
        self._hypervisor._vms.clear()
        self._hypervisor._running_vms.clear()
        return guests

    def start(self, host, guests):
        """Start a compute among guests that run.

        :param guests: their definitions, as of :meth:`stop`
        :returns: ``started``, or the name of the error it ended with
        """
        self._hypervisor = self._hypervisor or self._get_connection(
            hostname=host)
        for guest in guests:
            self._hypervisor.defineXML(guest).create()
        try:
            self.start_compute(host, connection=self._hypervisor)
        except Exception as error:
            LOG.exception('the compute does not start')
            return type(error).__name__
        self.connect(host)
        return 'started'


class Controllers(MixedNova):
    """API, conductor, scheduler, databases, placement and one compute."""

    def setUp(self):
        super().setUp()
        # As Nova wants it while computes are of two releases.
        self.flags(compute='auto', group='upgrade_levels')
        self.heed_versions()

    def heed_versions(self):
        """Send messages as the oldest compute that there is knows them."""
        compute_rpcapi.reset_globals()
        # The version is looked up once, which must not be while a cell is
        # targeted: the fixtures lock that.
        self.assertTrue(compute_rpcapi.ComputeAPI().router)

    def is_elsewhere(self, topic, server):
        return server == REMOTE

    def calls(self, series):
        return dict(super().calls(series), placement=self.serve_placement,
                    images=self.serve_images)

    def connections(self):
        context = nova_context.get_admin_context()
        nova_context.set_target_cell(context, self.cell_mappings['cell1'])
        return {'db_connection': context.db_connection,
                'mq_connection': None}

    def serve_placement(self, method, *args, **kwargs):
        """Ask placement for the other process."""
        kwargs['endpoint_override'] = self.placement.fixture.endpoint
        return getattr(self.placement.fixture._client, method)(
            *args, **kwargs)

    def serve_images(self, name, context, *args, **kwargs):
        """Ask for an image for the other process."""
        return getattr(glance.API(), name)(
            nova_context.RequestContext.from_dict(context), *args, **kwargs)

    def map_remote(self):
        """Make the compute of the other process known to the API."""
        objects.HostMapping(
            nova_context.get_admin_context(), host=REMOTE,
            cell_mapping=self.cell_mappings['cell1']).create()


class Compute(MixedNova):
    """A compute that has nothing else in its process."""

    def is_elsewhere(self, topic, server):
        return server != REMOTE and 'notifications' not in topic

    def setUp(self):
        super().setUp()
        uuidsentinel.node_remote = REMOTE_NODE
        # They only were what the fixtures cannot do without.
        self.conductor.stop()
        self.scheduler.stop()
        self.use_neighbours()
        objects_base.NovaObject.indirection_api = (
            conductor_rpcapi.ConductorAPI())
        self.host_mappings[REMOTE] = None

    def calls(self, series):
        return dict(super().calls(series), stop=self.stop, start=self.start)


class _Placement:
    """Stands for the HTTP client of the fixture."""

    def __init__(self, link):
        self._link = link

    def __getattr__(self, method):
        if method not in ('get', 'put', 'post', 'delete'):
            raise AttributeError(method)
        return functools.partial(self._link.call, 'placement', method)
