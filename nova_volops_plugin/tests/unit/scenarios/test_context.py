# SPDX-License-Identifier: Apache-2.0

import types

import fixtures
from keystoneauth1 import exceptions as session_exceptions
from openstack import exceptions as sdk_exceptions

from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.scenarios import catalog
from nova_volops_plugin.scenarios import claims
from nova_volops_plugin.scenarios import context
from nova_volops_plugin.scenarios import rest
from nova_volops_plugin.scenarios import runner
from nova_volops_plugin.scenarios import swap_on_host
from nova_volops_plugin.tests.unit.cloud import stub

UUID = 'a26887c6-c47b-4654-abb5-dfadf7d3f803'


def _scenario(name, run):
    return types.SimpleNamespace(NAME=name, run=run)


class TestAnswer(stub.TestCase):

    def test_words(self):
        self.assertEqual('202', str(rest.Answer(202, {'server': {}})))
        self.assertEqual('404', str(rest.Answer(404, {})))
        self.assertEqual('400 No such mode.', str(rest.Answer(
            400, {'badRequest': {'message': 'No such\n mode.', 'code': 400}})))
        long = str(rest.Answer(400, {'error': {'message': 'word ' * 99}}))
        self.assertLess(len(long), rest.MESSAGE_WIDTH + 5)
        self.assertTrue(long.endswith('…'))


class TestContext(stub.TestCase):

    def setUp(self):
        super().setUp()
        self.lines = []
        self.ctx = context.Context(
            stub.StubCloud(None), self.lines.append)
        self.ctx.scenario = 'story'

    def test_claims(self):
        self.ctx.remember('server', UUID, 'demo-server')
        self.ctx.claim('it runs', True, 'server %s runs' % UUID)
        self.ctx.claim('it stays', '', 404)
        self.ctx.skip('it moves', 'there is one host')
        self.assertEqual([
            claims.Claim('story', 'it runs', result.PASSED,
                         'server demo-server runs'),
            claims.Claim('story', 'it stays', result.FAILED, '404'),
            claims.Claim('story', 'it moves', result.SKIPPED,
                         'there is one host')], self.ctx.claims)
        self.assertEqual('   passed: it runs (server demo-server runs)',
                         self.lines[0])
        self.assertEqual('1 passed, 1 failed, 1 skipped',
                         result.count(self.ctx.claims))

    def test_wait(self):
        answers = iter([None, 0, 'there'])
        self.assertEqual(
            'there', self.ctx.wait('it', lambda: next(answers), 9))
        error = self.assertRaises(
            exceptions.VolopsError, self.ctx.wait, 'it', lambda: None, 0)
        self.assertIn('still no it', str(error))

    def test_disk_of_a_server_without_guest(self):
        self.assertIsNone(self.ctx.disk(UUID, UUID))

    def _images(self, *images):
        self.useFixture(fixtures.MockPatchObject(
            self.ctx, '_send', return_value=rest.Answer(200, {'images': [
                dict({'status': 'active', 'disk_format': 'raw'}, **image)
                for image in images]})))

    def test_images(self):
        self.ctx.remember('image', 'ours', 'demo-unreadable')
        self._images(
            {'id': 'new'}, {'id': 'old', 'disk_format': 'qcow2'},
            {'id': 'saving', 'status': 'saving'}, {'id': 'ours'},
            {'id': 'shelved', 'image_type': 'snapshot'},
            {'id': 'cd', 'disk_format': 'iso'},
            {'id': 'bus', 'hw_disk_bus': 'ide'})
        self.assertEqual(['new', 'old'], self.ctx.images())
        self.assertEqual('new', self.ctx.image())
        self.assertEqual('bus', self.ctx.image_of_bus('ide'))
        self.assertIsNone(self.ctx.image_of_bus('scsi'))

    def test_too_few_images(self):
        self._images({'id': 'new'})
        self.assertRaises(exceptions.VolopsError, self.ctx.images)

    def test_leftovers_are_known_by_their_names(self):
        there = {'servers': [{'id': 's1', 'name': 'demo-multi-1'},
                             {'id': 's2', 'name': 'my-demo-server'}],
                 'volumes': [{'id': 'v1', 'name': None},
                             {'id': 'v2', 'name': 'demo-root'}],
                 'images': [{'id': 'i1', 'name': 'demo-unreadable'},
                            {'id': 'i2', 'name': 'volops-alpha'}]}
        deleted = []

        def send(method, path, *args, **kwargs):
            kind, _, uuid = path[1:].partition('/')
            if method == 'DELETE':
                deleted.append(uuid)
            if not uuid:
                return rest.Answer(200, {kind: there[kind]})
            return rest.Answer(404, {})

        self.useFixture(fixtures.MockPatchObject(self.ctx, '_send', send))
        self.useFixture(fixtures.MockPatchObject(
            self.ctx, '_delete_volume',
            lambda volume: deleted.append(volume) or True))
        self.ctx.clear_leftovers()
        self.assertEqual(['s1', 'v2', 'i1'], deleted)

    def test_an_api_that_cannot_be_reached(self):
        def request(*args, **kwargs):
            raise session_exceptions.ConnectFailure('nobody listens')

        self.ctx._connection = types.SimpleNamespace(
            compute=types.SimpleNamespace(request=request))
        error = self.assertRaises(
            exceptions.VolopsError, self.ctx.call, 'GET', '/servers')
        self.assertEqual('GET /servers: nobody listens', str(error))


class TestRunner(stub.TestCase):

    def test_goes_on_after_a_failure(self):
        told = []

        def breaks(ctx):
            ctx.claim('first', True, '')
            raise exceptions.VolopsError('the server is in ERROR')

        def holds(ctx):
            told.append(ctx.scenario)
            ctx.claim('second', True, '')

        def ask(*args):
            raise sdk_exceptions.NotSupported('the cloud is mute')

        self.useFixture(fixtures.MockPatchObject(
            context.Context, '_answer', ask))
        found = runner.run(stub.StubCloud(None), scenarios=[
            _scenario('one', breaks), _scenario('two', holds)])
        self.assertEqual(['two'], told)
        self.assertEqual(
            [('before', 'what an earlier run left can be deleted', 'failed'),
             ('one', 'first', 'passed'),
             ('one', 'the story comes to its end', 'failed'),
             ('two', 'second', 'passed')],
            [(claim.scenario, claim.text, claim.result) for claim in found])
        self.assertEqual('the server is in ERROR', found[2].evidence)

    def test_what_the_topics_of_the_cloud_lack(self):
        told = []

        def run(ctx):
            told.append(ctx.scenario)

        self.useFixture(fixtures.MockPatchObject(
            runner, '_clear', lambda ctx: None))
        scenarios = [_scenario('one', run), _scenario('two', run),
                     _scenario('three', run)]
        scenarios[0].FEATURE = 'dangling_cleanup'
        scenarios[1].FEATURE = 'attach_mode'
        found = runner.run(
            stub.StubCloud(None, only=['dangling']), scenarios=scenarios)
        self.assertEqual(['one'], told)
        self.assertEqual(
            [('two', 'skipped', 'this Nova has only dangling, not '
                                'attach_mode'),
             ('three', 'skipped', 'it needs the whole series, this Nova has '
                                  'only dangling')],
            [(claim.scenario, claim.result, claim.evidence)
             for claim in found])

    def test_part_of_a_story_that_needs_another_topic(self):
        ctx = context.Context(
            stub.StubCloud(None, only=['shelved']), lambda line: None)
        swap_on_host._shared(ctx, '2.106')
        claim, = ctx.claims
        self.assertEqual(
            ('skipped', 'this Nova has only shelved, not attach_mode'),
            (claim.result, claim.evidence))


class TestCatalog(stub.TestCase):

    def test_choose(self):
        self.assertEqual(list(catalog.SCENARIOS), catalog.choose([]))
        self.assertEqual(
            ['attach_mode', 'dangling'],
            [scenario.NAME for scenario in catalog.choose(
                ['dangling', 'attach_mode'])])
        error = self.assertRaises(
            exceptions.BadInput, catalog.choose, ['dangling', 'resize'])
        self.assertIn("'resize'", str(error))
        self.assertIn('attach_mode', str(error))

    def test_long_ones_are_named(self):
        killed, = catalog.choose(['killed'])
        cloud = stub.StubCloud(None)
        cloud.guests_run = False
        claim, = runner.run(cloud, scenarios=[killed])[1:]
        self.assertEqual(('killed', 'skipped'),
                         (claim.scenario, claim.result))

    def test_names_differ(self):
        names = [scenario.NAME for scenario in
                 catalog.SCENARIOS + catalog.LONG_SCENARIOS]
        self.assertEqual(len(set(names)), len(names))
