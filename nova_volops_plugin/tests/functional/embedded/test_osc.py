# SPDX-License-Identifier: Apache-2.0

"""The commands of OpenStackClient, run by its own shell.

With NOVA_VOLOPS_TEST_OPENSTACK in the environment that program is run, for
instance the one of another release of OpenStackClient.
"""

from importlib import metadata
import json
import os
import pathlib
import re
import subprocess
import sys

import testtools

from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.sdk import waiting
from nova_volops_plugin.tests.functional.embedded import base

SHELL = os.environ.get('NOVA_VOLOPS_TEST_OPENSTACK') or (
    pathlib.Path(sys.executable).parent / 'openstack')
COMMANDS = ('server attachment create', 'server attachment list',
            'server attachment swap', 'server multiple create',
            'server volume rebuild')


class OscTest(base.CloudTest):
    """Runs commands; each test has servers and volumes of its own names."""

    def setUp(self):
        super().setUp()
        self.images = [
            image.id for image in self.openstack.image.images()
            if image.disk_format in ('raw', 'qcow2')]

    def _run(self, *words):
        return subprocess.run(
            [SHELL, *words], env=self.cloud.environ(), text=True,
            capture_output=True, timeout=waiting.SECONDS)

    def osc(self, *words):
        """Run a command that succeeds silently; return what it answers."""
        done = self._run(*words)
        self.assertEqual((0, ''), (done.returncode, done.stderr), words)
        return done.stdout

    def json(self, *words):
        return json.loads(self.osc(*words, '-f', 'json'))

    def refused(self, *words):
        """Run a command that fails; return its only line of error."""
        done = self._run(*words)
        self.assertEqual((1, ''), (done.returncode, done.stdout), words)
        line, = done.stderr.splitlines()
        return line

    def volume(self, name, **fields):
        return self._volume(name=name, **fields).id

    def batch(self, name, *words):
        """Create servers by the command; return its rows."""
        rows = self.json('server', 'multiple', 'create', '--flavor', 'm1.tiny',
                         '--no-network', '--wait', *words, name)
        for row in rows:
            self.addCleanup(
                self._delete_server,
                self.openstack.compute.get_server(row['ID']))
        return rows

    def modes(self, server):
        return {row['Volume ID']: row['Mode'] for row in self.json(
            'server', 'attachment', 'list', server)}


class TestOscWithShelvedAlone(OscTest):
    """A cloud that has one topic of the series and not attach_mode"""

    WHAT_RUNS = {'only': ('shelved',)}

    def test_swap(self):
        old, new = map(self.volume, ('al-old', 'al-new'))
        server = self._server(name='al-server')
        self.assertIn('does not know attach_mode', self.refused(
            'server', 'attachment', 'create', '--read-only', 'al-server',
            'al-old'))
        self.osc('server', 'shelve', '--offload', '--wait', 'al-server')
        self.openstack.compute.create_volume_attachment(
            server, volume_id=old)
        self.osc('server', 'attachment', 'swap', '--wait', '--no-copy-data',
                 'al-server', 'al-old', 'al-new')
        self.assertEqual([new], [
            attachment.volume_id for attachment in
            self.openstack.compute.volume_attachments(server)])


@base.on_other_bases
class TestOsc(OscTest):

    def test_attach(self):
        readable, writable = map(self.volume, ('at-ro', 'at-rw'))
        # It is deleted with the server.
        tagged = self.openstack.block_storage.create_volume(
            name='at-tag', size=1).id
        self.batch('at-server', '--image', self.images[0])
        create = ('server', 'attachment', 'create', '--wait', 'at-server')
        shown = self.json(*create, 'at-ro', '--read-only')
        self.assertEqual(('ro', readable, '/dev/vdb'), (
            shown['Mode'], shown['Volume ID'], shown['Device']))
        self.json(*create, 'at-rw', '--read-write')
        shown = self.json(*create, 'at-tag', '--tag', 'data',
                          '--delete-on-termination')
        self.assertEqual(('rw', 'data', True), (
            shown['Mode'], shown['Tag'], shown['Delete On Termination']))
        self.assertEqual(
            {readable: 'ro', writable: 'rw', tagged: 'rw'},
            self.modes('at-server'))
        rows = self.json('server', 'attachment', 'list', '--long',
                         'at-server')
        self.assertTrue(all(row['Attachment ID'] for row in rows))

        done = self._run(*create, 'at-ro', '--read-only', '--read-write')
        self.assertNotEqual(0, done.returncode)
        self.assertIn('not allowed with', done.stderr)

    def test_refusals(self):
        self.volume('re-volume')
        self.batch('re-server', '--image', self.images[0])
        create = ('server', 'attachment', 'create')
        self.assertEqual('No Server found for re-none', self.refused(
            *create, 're-none', 're-volume'))
        self.assertEqual('No Volume found for re-none', self.refused(
            *create, 're-server', 're-none'))
        needed = microversions.of(self.cloud.base.name, 'attach_mode')
        older = microversions.before(needed)
        self.assertEqual(
            'compute API version %s or greater is required to support '
            'attach_mode; version %s was asked for' % (needed, older),
            self.refused(
                '--os-compute-api-version', older,
                *create, '--read-only', 're-server', 're-volume'))
        self.assertIn('other than that of the attached', self.refused(
            'server', 'attachment', 'swap', '--copy-data', 're-server',
            're-volume', 're-volume'))
        self.assertIn('boots from an image', self.refused(
            'server', 'volume', 'rebuild', 're-server',
            '--image', self.images[1]))
        self.assertIn('min instances should be <= max', self.refused(
            'server', 'multiple', 'create', '--flavor', 'm1.tiny', '--image',
            self.images[0], '--min', '3', '--max', '2', 're-many'))
        self.assertIn('--read-only-volume', self.refused(
            'server', 'multiple', 'create', '--flavor', 'm1.tiny', '--image',
            self.images[0], '--read-only', 're-many'))
        self.assertEqual({}, self.modes('re-server'))

    def test_multiple(self):
        shared = self.volume('ba-shared', volume_type='multiattach')
        other = self.volume('ba-other', volume_type='multiattach')
        rows = self.batch(
            'ba-server', '--image', self.images[0], '--min', '3',
            '--read-only-volume', 'ba-shared',
            '--read-write-volume', 'ba-other')
        self.assertEqual(
            [('ba-server-%d' % number, 'ACTIVE') for number in (1, 2, 3)],
            [(row['Name'], row['Status']) for row in rows])
        for row in rows:
            self.assertEqual({shared: 'ro', other: 'rw'},
                             self.modes(row['ID']))
        self.volume('ba-single')
        self.assertIn('BadRequestException: 400', self.refused(
            'server', 'multiple', 'create', '--flavor', 'm1.tiny', '--image',
            self.images[0], '--no-network', '--min', '2',
            '--read-only-volume', 'ba-single', 'ba-none'))

    def test_swap(self):
        old, new = map(self.volume, ('sw-old', 'sw-new'))
        self.batch('sw-server', '--image', self.images[0],
                   '--read-only-volume', 'sw-old')
        # Here is nothing that could be copied.
        self.osc('server', 'shelve', '--wait', 'sw-server')
        self.assertRegex(
            self.refused('server', 'attachment', 'swap', '--wait',
                         '--copy-data', 'sw-server', 'sw-old', 'sw-new'),
            'request req-.* on server .* failed: .* cannot be copied')
        self.osc('server', 'unshelve', '--wait', 'sw-server')
        self.assertEqual({old: 'ro'}, self.modes('sw-server'))
        self.osc('server', 'shelve', '--offload', '--wait', 'sw-server')
        self.assertIn('409', self.refused(
            'server', 'attachment', 'swap', '--copy-data',
            'sw-server', 'sw-old', 'sw-new'))
        self.osc('server', 'attachment', 'swap', '--wait', '--no-copy-data',
                 'sw-server', 'sw-old', 'sw-new')
        self.assertEqual({new: 'ro'}, self.modes('sw-server'))
        self.assertEqual('available', self.openstack.block_storage.get_volume(
            old).status)

    def test_rebuild(self):
        root = self.volume('rb-root', image_id=self.images[0])
        self.batch('rb-server', '--volume', 'rb-root')
        rebuild = ('server', 'volume', 'rebuild', '--wait', 'rb-server',
                   '--image', self.images[1])
        self.openstack.block_storage.post('/faults', json={'fault': {
            'call': 'reimage_volume', 'code': 403}})
        self.assertIn('failed', self.refused(*rebuild))
        self.assertEqual(self.images[0], self._image(root))
        self.openstack.block_storage.delete('/faults')
        self.assertEqual('', self.osc(*rebuild))
        self.assertEqual(self.images[1], self._image(root))

    def _image(self, volume):
        return self.openstack.block_storage.get_volume(
            volume).volume_image_metadata['image_id']


class TestOscOnUnpatched(OscTest):

    WHAT_RUNS = {'patched': False}

    def test_what_is_missing_is_told(self):
        self.volume('un-volume')
        self._server(name='un-server')
        for missing, words in (
                ('attach_mode', (
                    'attachment', 'create', 'un-server', 'un-volume')),
                ('attach_mode', ('attachment', 'list', 'un-server')),
                ('copy_data', (
                    'attachment', 'swap', '--copy-data', 'un-server',
                    'un-volume', 'un-volume')),
                ('attach_mode', (
                    'multiple', 'create', '--flavor', 'm1.tiny', '--image',
                    self.images[0], '--no-network', 'un-none'))):
            self.assertRegex(
                self.refused('server', *words),
                r'needs a Nova with the nova-volops series and compute API '
                r'version (2\.\d+ \(base [\w.]+\)( or )?)+; the latest '
                r'version of this cloud is %s, and it does not know %s' % (
                    re.escape(microversions.before(microversions.of(
                        self.cloud.base.name, 'attach_mode'))), missing))
        self.assertEqual(['un-server'], [
            server.name for server in self.openstack.compute.servers()])


class TestHelp(testtools.TestCase):
    """What needs no cloud."""

    def _run(self, *words):
        return subprocess.run(
            [SHELL, *words], env={}, text=True, check=True,
            stdout=subprocess.PIPE).stdout

    def test_help(self):
        for command in COMMANDS:
            self.assertIn('usage: openstack ' + command,
                          self._run('help', *command.split()))

    def test_completion(self):
        completion = self._run('complete')
        for words in ("cmds_server_attachment='create list swap'",
                      "cmds_server_multiple='create'"):
            self.assertIn(words, completion)
        # Upstream's own are beside it.
        self.assertRegex(completion, r"cmds_server_volume='[^']*\brebuild\b")
        self.assertRegex(
            completion, "cmds_server_attachment_create='.*--read-only "
            "--read-write.*'")

    def test_names_are_not_upstreams(self):
        groups = {}
        for distribution in metadata.distributions():
            for entry in distribution.entry_points:
                groups.setdefault(entry.group, set()).add(entry.name)
        own = groups.pop('openstack.volume_ops.v1')
        self.assertEqual({name.replace(' ', '_') for name in COMMANDS}, own)
        self.assertEqual(set(), own & set.union(*(
            names for group, names in groups.items()
            if group.startswith('openstack.'))))
