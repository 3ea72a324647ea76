# SPDX-License-Identifier: Apache-2.0

import ast
import collections
import importlib
import json
import sys
from unittest import mock

import fixtures
import testtools

from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin import exceptions
from nova_volops_plugin.faults import histories
from nova_volops_plugin.faults import histories_test

STEPS = [
    {'step': ['create', True, 3, 'ro', 1],
     'requests': [['POST', '/servers', {'server': {
         'block_device_mapping_v2': [{
             'uuid': '{root4}', 'delete_on_termination': False}],
         'imageRef': None}}, 202]]},
    {'step': ['write', 0, 0], 'requests': []},
    {'step': ['attach', 0, 0],
     'requests': [['POST', '/servers/{server0}/os-volume_attachments',
                   {'volumeAttachment': {'volumeId': '{shared}'}}, 202]],
     'befalls': [{'kind': 'call', 'nth': 2, 'fault': 'lost',
                  'call': 'attachment_create(shared)#2'}]},
    {'step': ['swap', 0, 0], 'requests': [],
     'befalls': [{'kind': 'rival', 'nth': 1, 'rival': ['delete', 0, 0]}]},
]
FOUND = histories.Found(
    'lost write', 'lost write, end: it is not on volume*',
    'it is not on volume0', 7, STEPS)


class SourceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.source = histories_test.test_of(FOUND)

    def test_python(self):
        method = ast.parse(self.source).body[0].body[0]
        self.assertEqual('test_lost_write', method.name)

    def test_volumes(self):
        self.assertIn(
            'root4 = self.cinder.rules.add_volume(size=2, bootable=True)',
            self.source)
        self.assertIn(
            'shared = self.cinder.rules.add_volume(size=2, multiattach=True)',
            self.source)

    def test_requests(self):
        self.assertIn(
            "server = self.api.api_request('/servers', method='POST', "
            "body={\"server\": {\"block_device_mapping_v2\": [{\"uuid\": "
            "root4, \"delete_on_termination\": False}], \"imageRef\": None}})",
            self.source)
        self.assertIn(
            "'/servers/%s/os-volume_attachments' % (server0,)", self.source)

    def test_trouble(self):
        self.assertIn(
            "self.cinder.rules.fail('attachment_create', "
            "cinder_status.timeout(), nth=2, after=True)", self.source)
        self.assertIn('# what befalls the next: {"kind": "rival"',
                      self.source)
        self.assertIn('# write 0 0', self.source)


class ReadTest(testtools.TestCase):

    def test_batch(self):
        batch = histories.read(json.dumps({
            'batch': 2, 'seed': 5, 'histories': 10, 'steps': 70,
            'asked': {'attach': 4}, 'accepted': {'attach': 3},
            'struck': {'attachment_create lost': 1},
            'seconds': 1.5, 'cpu_seconds': 0.5, 'found': [
                {'kind': 'lost write', 'text': 'it is not on volume0',
                 'signature': FOUND.signature, 'after': 7,
                 'steps': STEPS}], 'aim': {'asked': {'attach': 4}}}))
        self.assertEqual((2, 10, 70, (FOUND,), {'asked': {'attach': 4}}), (
            batch.number, batch.histories, batch.steps, batch.found,
            batch.aim))

    def test_without_aim(self):
        batch = histories.read(json.dumps({
            'batch': 0, 'histories': 1, 'steps': 7, 'asked': {},
            'accepted': {}, 'struck': {}, 'found': [], 'seconds': 1.5,
            'cpu_seconds': 0.5}))
        self.assertEqual({}, batch.aim)

    def test_coverage(self):
        batches = [histories.Batch(
            number, 10, 70, {'attach': 3, 'swap': 1},
            {'attach': number, 'swap': 0}, {'swap_volume lose': 1}, (), {},
            1.0, 0.5)
            for number in (1, 2)]
        self.assertEqual(
            ['3 of 8 operations were accepted, of 1 kinds',
             'trouble struck 2 times, in 1 different ways'],
            histories.coverage(batches))

    def test_numbers(self):
        histories.require_numbers(None, 1)
        for minutes, batches, name in ((0, None, '--minutes'),
                                       (None, -1, '--batches')):
            error = self.assertRaises(
                exceptions.BadInput, histories.require_numbers, minutes,
                batches)
            self.assertIn(name, str(error))


class InsideTest(testtools.TestCase):
    """A test of a module of the other process that needs no Nova."""

    MODULE = None

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'sys.path', [str(variables.INSIDE), *sys.path]))
        name = 'histories.' + self.MODULE
        self.module = importlib.import_module(name)
        self.addCleanup(sys.modules.pop, name)
        self.addCleanup(sys.modules.pop, 'histories')


State = collections.namedtuple('State', 'host vm_state task_state')
Operation = collections.namedtuple('Operation', 'kind server volume')
Trouble = collections.namedtuple(
    'Trouble', 'kind nth fault rival name', defaults=(None,) * 3)
Device = collections.namedtuple('Device', 'server volume boot_index')


class FittingTest(InsideTest):
    """Which requests have something to act on."""

    MODULE = 'fitting'

    def _takes(self, kind, vm_state='active', task_state=None, devices=(),
               status='available', multiattach=False, servers=('s', 't')):
        rules = mock.Mock()
        rules.volume.return_value = {
            'status': status, 'multiattach': multiattach}
        history = mock.Mock(servers=servers)
        history.nova = mock.Mock(
            rules=rules, messages=mock.Mock(waiting=[]))
        history.alive.return_value = list(servers)
        history.states.return_value = {
            server: State('host', vm_state, task_state)
            for server in servers}
        history.volume_of = 'volume{}'.format
        history.devices.return_value = devices
        return self.module.Present(history).takes(Operation(kind, 2, 1))

    def test_states(self):
        self.assertTrue(self._takes('shelve'))
        self.assertFalse(self._takes('shelve', 'shelved'))
        self.assertFalse(self._takes('shelve', task_state='shelving'))
        self.assertTrue(self._takes('reset-state', task_state='shelving'))
        self.assertFalse(self._takes('reset-state'))

    def test_last_server(self):
        self.assertTrue(self._takes('delete'))
        self.assertFalse(self._takes('delete', servers=('s',)))
        self.assertFalse(self._takes('write', servers=()))
        self.assertTrue(self._takes('create', servers=()))
        self.assertFalse(self._takes('create', servers=('s', 't', 'u')))

    def test_volumes(self):
        root = Device('s', 'volume0', 0)
        data = Device('s', 'volume1', None)
        self.assertTrue(self._takes('attach', devices=[root]))
        self.assertFalse(self._takes('attach', devices=[data]))
        self.assertFalse(self._takes('attach', status='in-use'))
        self.assertTrue(self._takes(
            'attach', status='in-use', multiattach=True))
        self.assertFalse(self._takes('detach', devices=[root]))
        self.assertTrue(self._takes('detach', devices=[data]))

    def test_messages(self):
        self.assertFalse(self._takes('deliver'))

    def test_of_no_server(self):
        # A host is restarted also while its server waits for a message.
        self.assertTrue(self._takes('restart', task_state='rebuilding'))
        self.assertFalse(self._takes('rebuild', task_state='rebuilding'))


class AimTest(InsideTest):
    """What is done next, and at what trouble strikes."""

    MODULE = 'aim'

    def setUp(self):
        super().setUp()
        self.aim = self.module.Aim({}, ['shelve', 'swap', 'swap', 'create'])
        self.asked = collections.Counter()

    def _pick(self, *kinds):
        return self.aim.pick([Operation(kind, 0, 0) for kind in kinds],
                             self.asked).kind

    def _learn(self, met=(), **asked):
        self.aim.note(mock.Mock(asked=asked, met=met))
        self.aim.learn()

    def test_first(self):
        self.assertEqual('swap', self._pick('swap', 'shelve'))

    def test_weights(self):
        self._learn(swap=3, shelve=2)
        self.assertEqual('swap', self._pick('shelve', 'swap'))
        self._learn(swap=2)
        self.assertEqual('shelve', self._pick('swap', 'shelve'))

    def test_of_this_history(self):
        self._learn(shelve=9)
        self.asked['swap'] = 1
        self.assertEqual('shelve', self._pick('swap', 'shelve'))

    def test_first_of_a_history(self):
        self._learn(create=1)
        self.assertEqual(0, self.aim.known['asked']['create'])

    def test_not_before_it_learns(self):
        self.aim.note(mock.Mock(asked={'swap': 9}, met=()))
        self.assertEqual('swap', self._pick('swap', 'shelve'))

    def test_unknown(self):
        befalls = Trouble('call', 7)
        self.assertEqual(befalls, self.aim.likely('swap', befalls))
        self.assertTrue(self.aim.finds('swap', befalls))

    def test_most(self):
        self._learn([('swap', Trouble('call', 7), 3)])
        self._learn([('swap', Trouble('call', 1), 1)])
        for nth, likely in ((1, 1), (3, 3), (7, 1), (8, 2)):
            self.assertEqual(
                likely, self.aim.likely('swap', Trouble('call', nth)).nth)
        self.assertEqual(
            7, self.aim.likely('shelve', Trouble('call', 7)).nth)

    def test_none(self):
        befalls = Trouble('write', 4)
        self._learn([('swap', befalls, 0)])
        self.assertFalse(self.aim.finds('swap', befalls))
        self.assertEqual(1, self.aim.likely('swap', befalls).nth)

    def test_named(self):
        befalls = Trouble('call', 2, name='get')
        self._learn([('swap', befalls, 0)])
        self.assertEqual(Trouble('call', 2), self.aim.likely('swap', befalls))

    def test_in_copy(self):
        befalls = Trouble('rival', 0)
        self._learn([('shelve', befalls, 0)])
        self.assertFalse(self.aim.finds('shelve', befalls))
        self.assertTrue(self.aim.finds('shelve', Trouble('rival', 1)))

    def test_goes_on(self):
        self._learn([('swap', Trouble('call', 7), 3)], swap=3)
        other = self.module.Aim(self.aim.known, ['swap'])
        self.assertEqual(1, other.likely('swap', Trouble('call', 7)).nth)
        self.assertEqual({'swap': 3, 'create': -1}, other.known['asked'])


class BrokenTest(InsideTest):
    """What tells one defect from another."""

    MODULE = 'broken'

    def _signature(self, text, step='swap'):
        return self.module.Broken('500', text, step).signature

    def test_roles(self):
        self.assertEqual(
            '500, swap: server* has disks *, and devices *',
            self._signature("server1 has disks ['a', 'b'], and devices []"))
        self.assertEqual(
            self._signature('volume1 of server0 is\n detaching'),
            self._signature('volume2 of server12 is detaching'))

    def test_ids(self):
        self.assertEqual(
            '500, swap: no volume *', self._signature(
                'no volume 155d900f-4e14-4e4c-a73d-069cbf4541e6'))

    def test_differs(self):
        self.assertNotEqual(self._signature('volume0 is detaching'),
                            self._signature('volume0 is attaching'))
        self.assertNotEqual(self._signature('volume0 is detaching'),
                            self._signature('volume0 is detaching', 'end'))


class ModelTest(InsideTest):
    """What accepted requests imply."""

    MODULE = 'model'

    def setUp(self):
        super().setUp()
        self.device = self.module.Device
        self.model = self.module.Model()
        self.model.observe([self.device(1, 's', 'old', None)])
        self.text = self.model.wrote('s', 'old')

    def _lost(self, **contents):
        return list(self.model.lost(dict({'old': (), 'new': ()}, **contents)))

    def test_write(self):
        self.assertEqual([('old', self.text)], self._lost())
        self.assertEqual([], self._lost(old=('image', self.text)))

    def test_swap(self):
        self.model.observe([self.device(1, 's', 'new', None)])
        self.assertEqual([('new', self.text)], self._lost(old=(self.text,)))
        self.assertEqual([], self._lost(new=(self.text,)))

    def test_swap_without_copy(self):
        self.model.left_behind('s', 'old')
        self.model.observe([self.device(1, 's', 'new', None)])
        self.assertEqual([], self._lost())

    def test_overwritten(self):
        # While a server has it, nobody may write over it.
        self.model.overwritten('old')
        self.assertEqual([('old', self.text)], self._lost())
        self.model.observe([])
        self.model.overwritten('old')
        self.assertEqual([], self._lost())

    def test_rebuilt(self):
        self.model.rebuilt('s')
        self.assertEqual([('old', self.text)], self._lost())
        self.model.observe([self.device(1, 's', 'old', None),
                            self.device(2, 's', 'root', 0)])
        self.model.wrote('s', 'root')
        self.model.rebuilt('s')
        self.assertEqual([('old', self.text)], self._lost())

    def test_read_only(self):
        self.model.attached('s', 'data', 'ro')
        self.model.observe([self.device(1, 's', 'old', None),
                            self.device(2, 's', 'data', None)])
        self.assertEqual(['data'], self.model.read_only('s', {'old', 'data'}))
        # It is as it was attached, whatever volume it is on now.
        self.model.observe([self.device(2, 's', 'new', None)])
        self.assertEqual(['new'], self.model.read_only('s', {'new'}))
        self.model.observe([])
        self.assertEqual([], self.model.read_only('s', {'new'}))
