# SPDX-License-Identifier: Apache-2.0

import ast
import importlib
import json
import sys
import threading
from unittest import mock

import testtools

from nova_volops_plugin.lab.faults import histories
from nova_volops_plugin.lab.faults import histories_test

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
     'troubles': [{'kind': 'call', 'nth': 2, 'fault': 'lost',
                  'call': 'attachment_create(shared)#2'}]},
    {'step': ['swap', 0, 0], 'requests': [],
     'troubles': [{'kind': 'rival', 'nth': 1, 'rival': ['delete', 0, 0]}]},
]
FOUND = histories.Found(
    'lost write', 'lost write, end: it is not on volume*',
    'it is not on volume0', 7, STEPS)


class SourceTest(testtools.TestCase):

    def test_source(self):
        source = histories_test.test_of(FOUND)
        method = ast.parse(source).body[0].body[0]
        self.assertEqual('test_lost_write', method.name)
        for part in (
                'root4 = self.cinder.rules.add_volume(size=2, bootable=True)',
                'shared = self.cinder.rules.add_volume(size=2, '
                'multiattach=True)',
                "server = self.api.api_request('/servers', method='POST', "
                "body={\"server\": {\"block_device_mapping_v2\": [{\"uuid\": "
                "root4, \"delete_on_termination\": False}], \"imageRef\": "
                "None}})",
                "'/servers/%s/os-volume_attachments' % (server0,)",
                "self.cinder.rules.fail('attachment_create', "
                "cinder_status.timeout(), nth=2, after=True)",
                '# injected into the next: {"kind": "rival"', '# write 0 0'):
            self.assertIn(part, source)


class ReadTest(testtools.TestCase):

    def test_batch(self):
        batch = histories.read(json.dumps({
            'batch': 2, 'seed': 5, 'histories': 10, 'steps': 70,
            'asked': {'attach': 4}, 'accepted': {'attach': 3},
            'hits': {'attachment_create lost': 1},
            'seconds': 1.5, 'cpu_seconds': 0.5, 'found': [
                {'kind': 'lost write', 'text': 'it is not on volume0',
                 'signature': FOUND.signature, 'after': 7,
                 'steps': STEPS}], 'guide': {'asked': {'attach': 4}}}))
        self.assertEqual((2, 10, 70, (FOUND,), {'asked': {'attach': 4}}), (
            batch.number, batch.histories, batch.steps, batch.found,
            batch.guide))

    def test_coverage(self):
        batches = [histories.Batch(
            number, 10, 70, {'attach': 3, 'swap': 1},
            {'attach': number, 'swap': 0}, {'swap_volume lose': 1}, (), {},
            1.0, 0.5)
            for number in (1, 2)]
        self.assertEqual(
            ['3 of 8 operations were accepted, of 1 kinds',
             'faults injected 2 times, in 1 different ways'],
            histories.coverage(batches))


class InsideTest(testtools.TestCase):
    """A test of a module of the other process that needs no Nova."""

    MODULE = None

    def setUp(self):
        super().setUp()
        name = 'inside_nova.histories.' + self.MODULE
        self.module = importlib.import_module(name)
        self.addCleanup(sys.modules.pop, name)
        self.addCleanup(sys.modules.pop, 'inside_nova.histories')


class BrokenTest(InsideTest):
    """What tells one defect from another."""

    MODULE = 'broken'

    def test_signature(self):
        for text, wanted in (
                ("server1 has disks ['a', 'b'], and devices []",
                 'server* has disks *, and devices *'),
                ('volume1 of server12 is\n detaching',
                 'volume* of server* is detaching'),
                ('no volume 155d900f-4e14-4e4c-a73d-069cbf4541e6',
                 'no volume *')):
            self.assertEqual('500, swap: ' + wanted, self.module.Broken(
                '500', text, 'swap').signature)


class RecordTest(InsideTest):
    """Of which step something is."""

    MODULE = 'record'

    def setUp(self):
        super().setUp()
        self.record = self.module.Record()
        self.record.begin('delete')
        self.record.end()

    def _signatures(self):
        return [each.signature for each in self.record.findings]

    def test_step(self):
        self.record.begin('rebuild')
        self.record.tell('orphan', 'it is left')
        self.record.end()
        self.record.tell('orphan', 'another one is left')
        self.assertEqual(['orphan, rebuild: it is left',
                          'orphan, end: another one is left'],
                         self._signatures())

    def test_nothing_done(self):
        self.record.begin('rebuild')
        self.record.skip()
        self.record.tell('orphan', 'it is left')
        self.assertEqual(['orphan, delete: it is left'], self._signatures())


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

    def test_given_away(self):
        self.model.given_away('old')
        self.assertEqual([], self._lost())


class OthersTest(InsideTest):
    """Who has volumes besides the servers."""

    MODULE = 'others'

    def setUp(self):
        super().setUp()
        self.history = mock.Mock(roles={'v': 'volume0'})
        self.history.nova.contents.of = {'v': ()}
        rules = self.history.nova.rules
        rules.status.return_value = 'available'
        rules.add_attachment.return_value = 'theirs'
        rules.attachments.return_value = [{'id': 'theirs'}]
        self.others = self.module.Others(self.history)

    def test_take(self):
        self.assertTrue(self.others.take('v'))
        self.assertEqual({'v': 'theirs'}, self.others.had)
        self.assertEqual([], list(self.others.broken()))
        self.assertFalse(self.others.take('v'))

    def test_in_use(self):
        self.history.nova.rules.status.return_value = 'in-use'
        self.assertFalse(self.others.take('v'))

    def test_broken(self):
        self.others.take('v')
        self.history.nova.contents.of['v'] = ('image',)
        kind, _text = next(self.others.broken())
        self.assertEqual('overwritten others', kind)
        self.history.nova.rules.attachments.return_value = []
        self.assertIn(('robbed', 'volume0 was taken from others'),
                      list(self.others.broken()))

    def test_give_back(self):
        self.others.take('v')
        self.others.give_back()
        self.history.nova.rules.remove_attachment.assert_called_once_with(
            'theirs')
        self.assertEqual({}, self.others.had)


class OtherThreadsTest(InsideTest):
    """Whether a request in progress waits for something."""

    MODULE = 'other_threads'

    def _start(self, target, **kwargs):
        thread = threading.Thread(target=target, **kwargs)
        thread.start()
        self.addCleanup(thread.join)
        return thread

    def _work(self, **kwargs):
        stopped = threading.Event()

        def work():
            while not stopped.is_set():
                sum(range(1000))

        thread = self._start(work, **kwargs)
        self.addCleanup(stopped.set)
        return thread

    def test_all_wait(self):
        wakes = threading.Event()
        self._start(wakes.wait)
        self.addCleanup(wakes.set)
        self.assertIn(False, (self.module.run() for _poll in range(500)))

    def test_one_runs(self):
        self._work()
        self.assertIn(True, (self.module.run() for _poll in range(500)))

    def test_those_without_work_wake_up(self):
        self._work(name='Thread-1 (_runner)')
        self._work().idle = True
        self.assertEqual({False}, {self.module.run() for _poll in range(50)})

    def test_those_of_eventlet_run_in_this_one(self):
        green = mock.Mock(native_id=threading.get_native_id(), idle=False)
        green.name = 'green'
        with mock.patch.object(threading, 'enumerate', return_value=[green]):
            self.assertFalse(self.module.run())

    def test_those_of_later_eventlet_have_no_id(self):
        green = mock.Mock(spec=['name'])
        green.name = 'green'
        with mock.patch.object(threading, 'enumerate', return_value=[green]):
            self.assertFalse(self.module.run())
