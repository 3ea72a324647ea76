# SPDX-License-Identifier: Apache-2.0

"""A cloud that runs nothing: for what is around clouds."""

import pathlib

import fixtures
import testtools

from nova_volops_plugin.cloud import base
from nova_volops_plugin.cloud import profiles
from nova_volops_plugin import exceptions

NAME = 'stub'


class StubCloud(base.Cloud):
    """Remembers what it was asked."""

    #: What happened to clouds, in order: tuples of a name and values.
    asked = []
    services = [base.ServiceStatus('nova-api', 'up', 4, 'address')]
    log = None

    def up(self):
        self.asked.append(('up', self.base, self.patched, self.hosts))

    def down(self, wipe=False):
        self.asked.append(('down', wipe))

    def status(self):
        return self.services

    def environ(self):
        return {'OS_PASSWORD': 'a "b" $c `d` \'e\'', 'OS_AUTH_URL':
                'http://127.0.0.1:1/identity/v3'}

    def logs(self):
        return {'nova': self.log}

    def console(self, server):
        raise exceptions.BadInput('nothing runs in %s' % server)

    def domain_xml(self, server):
        return '<domain>%s</domain>\n' % server


class TestCase(testtools.TestCase):
    """A test to which the profile ``stub`` is known."""

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.cloud.profiles.PROFILES',
            dict(profiles.PROFILES, **{NAME: StubCloud})))
        self.useFixture(fixtures.MockPatchObject(StubCloud, 'asked', []))
