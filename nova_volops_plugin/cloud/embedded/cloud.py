# SPDX-License-Identifier: Apache-2.0

"""Starts, queries and stops the process of the embedded cloud."""

import fcntl
import json
import logging
import shutil
import subprocess
import time

from openstack import exceptions as sdk_exceptions
import psutil
import requests

from nova_volops_plugin.bases import lock
from nova_volops_plugin import child
from nova_volops_plugin.cloud import base as cloud_base
from nova_volops_plugin.cloud import client
from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin.cloud import termination
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import nova as series_nova

LOG = logging.getLogger(__name__)

START_SECONDS = 300
STOP_SECONDS = 10


class EmbeddedCloud(cloud_base.Cloud):
    """Nova of a base in one process, with its test fixtures as neighbours.

    It keeps everything in memory: what was made in it is gone after
    :meth:`down`. Each state folder has one.
    """

    guests_run = False
    # The names of packages that extend the process.
    extensions = ()

    @property
    def _folder(self):
        return self.state.cloud('embedded')

    @property
    def _log(self):
        return self._folder / 'nova.log'

    def up(self):
        if self.hosts < 1:
            raise exceptions.BadInput(
                'a cloud has at least one host, not %d' % self.hosts)
        if self.released_hosts:
            raise exceptions.BadInput(
                'the hosts of the embedded cloud are of one Nova; for more '
                'there are "nova-volops lab rolling" and --profile real')
        with lock.hold(self._folder / 'up'):
            running = self._running()
            if running and running != self._label():
                raise exceptions.BadInput(
                    'the embedded cloud is up with %s; run "nova-volops cloud '
                    'down" first' % _describe(running))
            try:
                if not running:
                    self._start()
                self._wait_until_ready()
            except BaseException:
                self.down()
                raise

    def down(self, wipe=False):
        process = self._process()
        if process:
            termination.end([process], STOP_SECONDS)
            termination.wait_until_gone([process])
        if wipe:
            shutil.rmtree(self._folder)
        else:
            self._clean()

    def status(self):
        process = self._process()
        if not process:
            return [cloud_base.ServiceStatus(
                'embedded', 'down', detail='run "nova-volops cloud up"')]
        try:
            services = self._services()
        except (exceptions.VolopsError, sdk_exceptions.SDKException,
                requests.RequestException) as error:
            return [cloud_base.ServiceStatus(
                'embedded', 'failed', process.pid, str(error))]
        address = self._endpoint()['url']
        return [
            cloud_base.ServiceStatus('nova-api', 'up', process.pid,
                                     address + '/compute/v2.1'),
        ] + [
            cloud_base.ServiceStatus(
                service['binary'], service['state'], process.pid,
                service['host'])
            for service in services
        ]

    def environ(self):
        endpoint = self._endpoint()
        return {
            'OS_AUTH_TYPE': 'password',
            'OS_AUTH_URL': endpoint['auth_url'],
            'OS_IDENTITY_API_VERSION': '3',
            'OS_PASSWORD': endpoint['passwords']['admin'],
            'OS_PROJECT_DOMAIN_NAME': 'Default',
            'OS_PROJECT_NAME': 'demo',
            'OS_REGION_NAME': 'RegionOne',
            'OS_USERNAME': 'admin',
            'OS_USER_DOMAIN_NAME': 'Default',
        }

    def logs(self):
        return {'nova': self._log}

    def console(self, server):
        raise exceptions.BadInput(
            'the guests of the embedded cloud run nothing and print nothing; '
            'ask for their definition (--xml), or use the real cloud '
            '(--profile real)')

    def domain_xml(self, server):
        answer = client.connect(self.environ()).session.get(
            '%s/hypervisor/domains/%s' % (self._endpoint()['url'], server),
            raise_exc=False)
        if answer.status_code != 200:
            raise exceptions.BadInput(
                'server %s has no guest on the hypervisor: %s' %
                (server, answer.text))
        return answer.json()['domain']['xml']

    def _label(self):
        return {'base': self.base.name, 'patched': self.patched,
                'hosts': self.hosts,
                **({'only': self.only} if self.only else {})}

    def _locked(self):
        """Whether a process of the cloud lives, whoever started it."""
        with open(self._folder / 'lock', 'a') as held:
            try:
                fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def _process(self):
        # The process holds the lock before it writes who it is.
        while self._locked():
            try:
                record = json.loads(
                    (self._folder / 'process.json').read_text())
                return psutil.Process(record['pid'])
            except (FileNotFoundError, psutil.NoSuchProcess):
                time.sleep(0.05)
        return None

    def _running(self):
        if not self._process():
            return None
        record = json.loads((self._folder / 'process.json').read_text())
        del record['pid']
        return record

    def _clean(self):
        for name in ('process.json', 'endpoint.json'):
            (self._folder / name).unlink(missing_ok=True)
        shutil.rmtree(self._folder / 'tmp', ignore_errors=True)

    def _start(self):
        nova = series_nova.ensure(
            self.state, self.base, self.patched, only=self.only)
        LOG.info('starting Nova %s', _describe(self._label()))
        self._clean()
        temporary = self._folder / 'tmp'
        temporary.mkdir()
        command = [
            nova.python, '-m', 'inside_nova.embedded_nova',
            '--state', str(self._folder), '--hosts', str(self.hosts),
            '--label', json.dumps(self._label())]
        for name in self.extensions:
            command += ['--extension', name]
        with open(self._log, 'wb') as log:
            self._log.chmod(0o600)
            process = subprocess.Popen(
                command, cwd=nova.tree, env=variables.of(nova, temporary),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                # Ctrl-C is for the one who waits; he stops the process.
                start_new_session=True)
        while not self._locked():
            if process.poll() is not None:
                raise self._failure('ended at once')
            time.sleep(0.05)

    def _wait_until_ready(self):
        LOG.info('waiting for the services')
        deadline = time.monotonic() + START_SECONDS
        why = 'has no address yet'
        while time.monotonic() < deadline:
            if not self._locked():
                raise self._failure('ended while it started')
            if (self._folder / 'endpoint.json').exists():
                try:
                    down = [service for service in self._services()
                            if service['state'] != 'up']
                except (sdk_exceptions.SDKException,
                        requests.RequestException) as error:
                    why = str(error)
                else:
                    if not down:
                        LOG.info('ready at %s', self._endpoint()['url'])
                        return
                    why = '%s on %s is down' % (
                        down[0]['binary'], down[0]['host'])
            time.sleep(0.2)
        raise self._failure(
            'was not ready after %d s: %s' % (START_SECONDS, why))

    def _failure(self, what):
        return exceptions.VolopsError(
            'the process of the embedded cloud %s; its log %s ends with\n%s' %
            (what, self._log, child.tail(
                self._log.read_text(errors='replace'))))

    def _endpoint(self):
        try:
            return json.loads((self._folder / 'endpoint.json').read_text())
        except FileNotFoundError:
            raise exceptions.CloudDown(
                'the embedded cloud is not up; run "nova-volops cloud up"'
            ) from None

    def _services(self):
        answer = client.connect(self.environ()).compute.get('/os-services')
        sdk_exceptions.raise_from_response(answer)
        return answer.json()['services']


def _describe(label):
    return '%s, %s, %d host%s' % (
        label['base'], 'only ' + ', '.join(label['only'])
        if 'only' in label else
        'patched' if label['patched'] else 'unpatched',
        label['hosts'], 's' if label['hosts'] > 1 else '')
