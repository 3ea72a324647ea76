# SPDX-License-Identifier: Apache-2.0

"""The real profile's cloud."""

import json
import logging
import os
import shutil

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import lock
from nova_volops_plugin.cloud import base as cloud_base
from nova_volops_plugin.cloud.real import ceph
from nova_volops_plugin.cloud.real import cinder
from nova_volops_plugin.cloud.real import environments
from nova_volops_plugin.cloud.real import faults as real_faults
from nova_volops_plugin.cloud.real import glance
from nova_volops_plugin.cloud.real import guest_image
from nova_volops_plugin.cloud.real import keystone
from nova_volops_plugin.cloud.real import layout as real_layout
from nova_volops_plugin.cloud.real import libvirt
from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import memcached
from nova_volops_plugin.cloud.real import neutron
from nova_volops_plugin.cloud.real import nova
from nova_volops_plugin.cloud.real import packages
from nova_volops_plugin.cloud.real import placement
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import rabbitmq
from nova_volops_plugin.cloud.real import resources
from nova_volops_plugin.cloud.real import start_order
from nova_volops_plugin.cloud.real import units
from nova_volops_plugin.cloud import termination
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# Two hosts are enough to move a guest; each more costs 150 MB.
MAX_HOSTS = 4

_UNITS = (
    mariadb.MariaDB, mariadb.Databases,
    rabbitmq.PortMapper, rabbitmq.RabbitMQ,
    memcached.Memcached,
    ceph.Settings, ceph.Monitor, ceph.Manager, ceph.Osd, ceph.Pools,
    keystone.Database, keystone.Api, keystone.Identities,
    glance.Database, glance.Api,
    placement.Database, placement.Api,
    neutron.Database, neutron.Api,
    cinder.Database, cinder.Api, cinder.Scheduler, cinder.Volume,
    nova.Settings, nova.Database, nova.Conductor,
    nova.Scheduler, nova.Hosts,
    resources.VolumeTypes, resources.Network, resources.Images,
    resources.Flavors,
)
_UNITS_A_HOST = real_faults.UNITS_A_HOST


def make_units(layout):
    """Return all :class:`units.Unit` objects of a :class:`layout.Layout`."""
    made = [kind(layout) for kind in _UNITS]
    made.append(nova.api_of(layout.base)(layout))
    for host in layout.hosts:
        made += [kind(layout, host) for kind in _UNITS_A_HOST]
    return made


class RealCloud(cloud_base.Cloud):
    """Nova on libvirt and Ceph with its neighbours, as plain processes."""

    settled_seconds = nova.SETTLED_SECONDS

    def up(self):
        self._check_input()
        running = self._recorded()
        asked = self._asked()
        ours = running and processes.every(self._layout())
        if ours and running != asked:
            raise exceptions.BadInput(
                'a real cloud is up with another Nova or other hosts: %s; '
                'stop it first by "nova-volops cloud down --profile real"' %
                json.dumps(running))
        if not ours and real_layout.taken_ports():
            raise exceptions.BadInput(
                'other programs listen on ports %s of %s; end them, another '
                'state folder\'s cloud may be among them' %
                (real_layout.taken_ports(), real_layout.ADDRESS))
        packages.check()
        LOG.info('starting the real cloud')
        with self._locked():
            made = environments.Environments(
                self.state, self.base, self.patched)
            layout = real_layout.Layout(
                self.state, environments=made, **{**asked, 'base': self.base})
            trees = [made.tree]
            if layout.released_hosts:
                trees.append(made.released_tree)
            for path in (*trees, made.nova, made.neighbours):
                LOG.info('using %s', path)
            real_layout.write_private(self._record, json.dumps(asked))
            made = make_units(layout)
            ran = {unit.name for unit in made
                   if isinstance(unit, units.Service) and
                   processes.find(layout, unit.name)}
            try:
                start_order.forward(made)
            except BaseException:
                start_order.backward(made, ran)
                raise

    def down(self, wipe=False):
        with self._locked():
            self._stop()
            if wipe:
                shutil.rmtree(self.state.cloud('real'))

    def status(self):
        return [unit.status() for unit in self._services()]

    def environ(self):
        return keystone.environ(self._layout())

    def logs(self):
        return {path.stem: path for path in sorted(
            self._layout().folder('log').glob('*.log'))}

    def console(self, server):
        path = nova.instances(self._layout()) / server / 'console.log'
        try:
            return path.read_text(errors='replace')
        except OSError:
            raise exceptions.BadInput(
                'no guest of server %s has printed anything here' % server
            ) from None

    def domain_xml(self, server):
        layout = self._layout()
        reasons = []
        for host in layout.hosts:
            try:
                return libvirt.virsh(layout, host, 'dumpxml', server)
            except units.NotReady as error:
                reasons.append('%s: %s' % (host, error))
        raise exceptions.BadInput(
            'no host has a guest of server %s; %s' %
            (server, '; '.join(reasons)))

    def service_environ(self):
        return keystone.service_environ(self._layout(), 'nova')

    @property
    def faults(self):
        return real_faults.RealFaults(self._layout(), self._unit)

    def nova_manage(self, *words):
        return nova.manage(self._layout(), *words)

    def watchers(self, volume):
        return ceph.watchers(self._layout(), volume)

    def count_requests(self, service):
        return self._unit(service).count_requests()

    def install(self):
        """Install everything that :meth:`up` needs.

        :raises VolopsError: something cannot be installed
        """
        packages.install()
        made = environments.Environments(
            self.state, self.base, self.patched)
        for path in (made.tree, made.nova, made.neighbours):
            LOG.info('made %s', path)
        guest_image.ensure(self.state)

    def _check_input(self):
        if not 1 <= self.hosts <= MAX_HOSTS:
            raise exceptions.BadInput(
                'the real cloud has 1 to %d hosts, not %d' %
                (MAX_HOSTS, self.hosts))
        if not 0 <= self.released_hosts <= self.hosts:
            raise exceptions.BadInput(
                'of %d hosts 0 to %d can run the base as released, not %d' %
                (self.hosts, self.hosts, self.released_hosts))
        if self.only:
            raise exceptions.BadInput(
                'the real cloud runs the whole series; leave out --only, or '
                'use the embedded one (--profile embedded)')
        if os.geteuid():
            raise exceptions.BadInput(
                'the real cloud makes namespaces and network devices and '
                'needs root; the embedded one (--profile embedded) does not')

    @property
    def _record(self):
        return self.state.cloud('real') / 'cloud.json'

    def _recorded(self):
        """Return what was last asked of :meth:`up`, None before."""
        try:
            return json.loads(self._record.read_text())
        except (OSError, ValueError):
            return None

    def _layout(self):
        """Return the :class:`layout.Layout` of what was last started."""
        started = self._recorded() or self._asked()
        base = started['base'] = nova_base.Base.load(started['base'])
        return real_layout.Layout(
            self.state, environments=environments.Environments(
                self.state, base, started['patched']), **started)

    def _asked(self):
        return {'base': self.base.name, 'patched': self.patched,
                'hosts': self.hosts, 'released_hosts': self.released_hosts}

    def _services(self):
        if not self._recorded():
            return []
        return [unit for unit in make_units(self._layout())
                if isinstance(unit, units.Service)]

    def _unit(self, name):
        return next(unit for unit in self._services() if unit.name == name)

    def _stop(self):
        layout = self._layout()
        found = processes.every(layout)
        start_order.backward(make_units(layout))
        # What has lost its note, or was forked and left behind.
        termination.end(processes.every(layout), 5)
        termination.wait_until_gone(found)

    def _locked(self):
        return lock.hold(self.state.cloud('real').parent / '.real.lock')
