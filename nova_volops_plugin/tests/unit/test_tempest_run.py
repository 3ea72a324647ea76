# SPDX-License-Identifier: Apache-2.0

import configparser
import dataclasses
import pathlib
import sys
from types import SimpleNamespace as Namespace

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.tempest_run import conf
from nova_volops_plugin.tempest_run import discover
from nova_volops_plugin.tempest_run import leftovers
from nova_volops_plugin.tempest_run import results
from nova_volops_plugin.tempest_run import workspace
from nova_volops_plugin.tests import command_line
from tempest_plugin import config as tempest_config

JUNIT = '''<testsuite errors="1" failures="1" name="" tests="4" time="7.5">
<testcase classname="a.b.C" name="test_one[id-1,slow]" time="5.5"/>
<testcase classname="a.b.C" name="test_two[id-2]" time="1.5">
<failure type="testtools.testresult.real._StringException">
testtools.testresult.real._StringException: pythonlogging:'': {{{
2026-11-20 20:55:06,721 INFO [tempest] Request Error: none
}}}

Traceback (most recent call last):
  File "x.py", line 1, in test_two
tempest.lib.exceptions.TimeoutException: Request timed out
Details: too late
</failure></testcase>
<testcase classname="a.b" name="D" time="0.5">
<skipped>[volume_ops] rebuild is off: the cloud lacks the feature</skipped>
</testcase>
<testcase classname="" name="setUpClass (a.b.E)" time="0.0">
<error>AssertionError: no</error></testcase>
</testsuite>
'''
FACTS = discover.Facts('image', 'other', 'small', 'large', 'shared', 1)
ENVIRON = {'OS_USERNAME': 'admin', 'OS_PASSWORD': 'p%s $x',
           'OS_PROJECT_NAME': 'admin', 'OS_USER_DOMAIN_NAME': 'Default',
           'OS_AUTH_URL': 'http://127.0.0.1:21001/v3',
           'OS_REGION_NAME': 'RegionOne'}


class ResultsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).path) / 'x'
        path.write_text(JUNIT)
        self.results = results.read(path)

    def test_read(self):
        one, two, three, four = self.results
        self.assertEqual(results.Test('a.b.C.test_one', 'passed', 5.5), one)
        self.assertEqual(
            ('a.b.C.test_two', 'failed',
             'tempest.lib.exceptions.TimeoutException: Request timed out'),
            (two.test, two.outcome, two.reason))
        self.assertEqual(
            ('skipped',
             '[volume_ops] rebuild is off: the cloud lacks the feature'),
            (three.outcome, three.reason))
        self.assertEqual(('failed', 'AssertionError: no'),
                         (four.outcome, four.reason))

    def test_count(self):
        self.assertEqual('1 passed, 2 failed, 1 skipped',
                         result.count(self.results))

    def test_known_failure(self):
        judged = results.judge(
            self.results, {r'\.test_two$': 'Because.'})
        self.assertEqual((results.KNOWN, 'Because.'),
                         (judged[1].outcome, judged[1].reason))
        self.assertEqual('1 passed, 1 failed, 2 skipped',
                         result.count(judged))

    def test_known_failure_that_passes(self):
        judged = results.judge(
            self.results, {r'\.test_one$': 'Because.'})
        self.assertEqual(results.MENDED, judged[0].outcome)
        self.assertEqual('1 passed, 2 failed, 1 skipped',
                         result.count(judged))


class ConfTest(testtools.TestCase):

    def write(self, **kwargs):
        arguments = dict(environ=ENVIRON, facts=FACTS,
                         base=nova_base.default(),
                         features=True, folder='/x/tempest')
        arguments.update(kwargs)
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).path) / 'x'
        conf.write(path, conf.sections(**arguments))
        self.assertEqual(0o600, path.stat().st_mode & 0o777)
        parser = configparser.RawConfigParser(default_section=None)
        parser.read(path)
        return parser

    def test_cloud(self):
        parser = self.write()
        self.assertEqual('p%s $$x', parser.get('auth', 'admin_password'))
        for option, value in (('image_ref', 'image'),
                              ('image_ref_alt', 'other'),
                              ('flavor_ref_alt', 'large'),
                              ('fixed_network_name', 'shared')):
            self.assertEqual(value, parser.get('compute', option))
        self.assertEqual('block-storage',
                         parser.get('volume', 'catalog_type'))

    def test_multiattach_type(self):
        parser = self.write()
        self.assertEqual('False', parser.get(
            'compute-feature-enabled', 'volume_multiattach'))
        self.assertFalse(
            parser.has_option('volume', 'volume_type_multiattach'))
        parser = self.write(facts=dataclasses.replace(
            FACTS, multiattach_type='shared'))
        self.assertEqual('True', parser.get(
            'compute-feature-enabled', 'volume_multiattach'))
        self.assertEqual(
            'shared', parser.get('volume', 'volume_type_multiattach'))

    def test_migrations_need_two_hosts(self):
        for hosts in (1, 2):
            parser = self.write(facts=discover.Facts(
                'image', 'other', 'small', 'large', 'shared', hosts))
            for option in ('live_migration', 'cold_migration'):
                self.assertEqual(hosts > 1, parser.getboolean(
                    'compute-feature-enabled', option))

    def test_features(self):
        self.assertFalse(self.write(features=False).has_section('volume_ops'))
        for base in nova_base.load_all():
            parser = self.write(base=base)
            self.assertEqual(
                microversions.of(base.name, 'shelved'),
                parser.get('volume_ops', 'shelved_microversion'))
            self.assertTrue(parser.getboolean('volume_ops', 'rebuild'))
            self.assertEqual(base.enforce_scope, parser.getboolean(
                'enforce_scope', 'nova'))

    def test_every_flag_and_microversion_is_told(self):
        self.assertEqual(
            {option.name for option in tempest_config.volume_ops_opts
             if option.default is False or
             option.name.endswith('_microversion')},
            set(conf.volume_ops(nova_base.default())))

    def test_microversion(self):
        self.assertEqual('2.90', self.write(microversion='2.90').get(
            'compute', 'max_microversion'))


class Cloud:
    """A cloud's connection that answers with what it was given."""

    def __init__(self, images=2, types=('compute', 'volumev3')):
        self.image = Namespace(images=lambda: [
            Namespace(id='sata', status='active', created_at='2026-09',
                      hw_disk_bus='sata'),
            Namespace(id='queued', status='queued', created_at='2026-08',
                      hw_disk_bus=None)] + [
            Namespace(id='i%d' % number, status='active', hw_disk_bus=None,
                      created_at='2026-0%d' % (number + 1))
            for number in range(images)])
        self.compute = Namespace(
            flavors=lambda: [Namespace(id='big', ram=256, disk=2),
                             Namespace(id='small', ram=128, disk=1)],
            services=lambda binary: [
                Namespace(state='up', status='enabled'),
                Namespace(state='down', status='enabled')],
            get_endpoint_data=lambda: Namespace(max_microversion=(2, 90)))
        self.network = Namespace(networks=lambda: [
            Namespace(name=name, is_shared=True, is_router_external=external)
            for name, external in (('public', True), ('shared', False))])
        self.block_storage = Namespace(types=lambda: [
            Namespace(name=name, extra_specs=specs) for name, specs in (
                ('plain', {}), ('shared2', {'multiattach': '<is> True'}),
                ('shared', {'multiattach': '<is> True'}))])
        access = Namespace(service_catalog=Namespace(
            catalog=[{'type': name} for name in types]))
        self.session = Namespace(
            auth=Namespace(get_access=lambda session: access))


class DiscoverTest(testtools.TestCase):

    def test_facts(self):
        self.assertEqual(
            discover.Facts('i1', 'i0', 'small', 'big', 'shared', 1,
                           'volumev3', 'shared', '2.90'),
            discover.facts(Cloud()))

    def test_too_few_images(self):
        error = self.assertRaises(
            exceptions.VolopsError, discover.facts, Cloud(images=1))
        self.assertIn('1 active images', str(error))

    def test_no_block_storage(self):
        error = self.assertRaises(
            exceptions.VolopsError, discover.facts, Cloud(types=['compute']))
        self.assertIn('no block storage', str(error))


class LeftoversTest(testtools.TestCase):

    def test_what_is_new(self):
        self.assertEqual(['volume a', 'volume new'], leftovers.new(
            {'volume': {'old'}, 'port': {'gone'}},
            {'volume': {'old', 'new', 'a'}, 'port': set()}))


class CommandTest(testtools.TestCase):

    def test_no_cloud(self):
        folder = self.useFixture(fixtures.TempDir()).path
        code, _out, err = command_line.run(folder, 'tempest-run')
        self.assertEqual(3, code)
        self.assertIn('the real cloud is not up; start it by "nova-volops '
                      'cloud up --profile real"', err)


class WorkspaceTest(testtools.TestCase):
    """Tempest itself, on a cloud that is not there"""

    def setUp(self):
        super().setUp()
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.tempest = workspace.Workspace(
            folder / 'tempest', pathlib.Path(sys.prefix))
        self.tempest.make()
        self.log = self.useFixture(fixtures.FakeLogger(workspace.__name__))

    def run_tempest(self, regex, features):
        conf.write(self.tempest.conf, conf.sections(
            dict(ENVIRON, OS_AUTH_URL='http://127.0.0.1:1/v3'), FACTS,
            nova_base.default(), features,
            self.tempest.folder))
        self.tempest.run(regex)
        return results.read(self.tempest.junit)

    def test_without_the_features_everything_is_skipped(self):
        found = self.run_tempest(r'^tempest_plugin\.', False)
        self.assertEqual({result.SKIPPED},
                         {test.outcome for test in found})
        # The first line says what is run.
        self.assertEqual(1 + len(found), len(self.log.output.splitlines()))
        for test in found:
            self.assertIn('the cloud lacks the feature', test.reason)

    def test_with_the_features_nothing_is(self):
        found = self.run_tempest(
            r'^tempest_plugin\.scenario\.test_dangling', True)
        self.assertEqual({result.FAILED},
                         {test.outcome for test in found})

    def test_no_such_test(self):
        self.assertRaises(exceptions.VolopsError, self.run_tempest,
                          r'^no\.such\.test$', False)
