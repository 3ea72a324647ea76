# SPDX-License-Identifier: Apache-2.0

import argparse
import pathlib
import types

import fixtures
from osc_lib import exceptions
import testtools

from nova_volops_plugin.osc import server_options
from nova_volops_plugin.sdk import calls


class Finder:
    """Finds server groups, whose ids are their names in capitals."""

    @staticmethod
    def server_group(name):
        return types.SimpleNamespace(id=name.upper())


class ServerOptionsTest(testtools.TestCase):

    def fields(self, *words):
        parser = argparse.ArgumentParser()
        server_options.add(parser)
        return server_options.fields(Finder, parser.parse_args(words))

    def test_nothing_asked(self):
        self.assertEqual({}, self.fields())

    def test_every_option(self):
        data = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'data'
        data.write_bytes(b'#!/bin/sh\n')
        found = self.fields(
            '--key-name', 'key', '--security-group', 'a',
            '--security-group', 'b', '--user-data', str(data),
            '--availability-zone', 'zone', '--host', 'host',
            '--server-group', 'group', '--hint', 'one=1', '--hint', 'two=2',
            '--hint', 'two=3', '--property', 'p=q', '--tag', 't',
            '--description', 'words', '--config-drive')
        self.assertEqual({
            'key_name': 'key',
            'security_groups': [{'name': 'a'}, {'name': 'b'}],
            'user_data': 'IyEvYmluL3NoCg==',
            'availability_zone': 'zone',
            'host': 'host',
            'metadata': {'p': 'q'},
            'tags': ['t'],
            'description': 'words',
            'config_drive': True,
            'scheduler_hints': {
                'one': '1', 'two': ['2', '3'], 'group': 'GROUP'},
        }, found)
        body = calls.create_server('name', '1', 'none', **found).body
        self.assertEqual(found['scheduler_hints'],
                         body['os:scheduler_hints'])
        self.assertNotIn('scheduler_hints', body['server'])
        self.assertEqual('zone', body['server']['availability_zone'])

    def test_user_data_that_cannot_be_read(self):
        error = self.assertRaises(
            exceptions.CommandError, self.fields, '--user-data', '/nowhere')
        self.assertIn('/nowhere cannot be read: No such file', str(error))
