# SPDX-License-Identifier: Apache-2.0

"""Tests of what is done next in a history."""

import collections
from unittest import mock

from nova_volops_plugin.tests.unit import test_histories

State = collections.namedtuple('State', 'host vm_state task_state')
Operation = collections.namedtuple('Operation', 'kind server volume')
Trouble = collections.namedtuple(
    'Trouble', 'kind nth fault rival name', defaults=(None,) * 3)
Device = collections.namedtuple('Device', 'server volume boot_index')


class ApplicableTest(test_histories.InsideTest):
    """Which requests have something to act on."""

    MODULE = 'applicable'

    def _takes(self, kind, *args, **kwargs):
        return self._present(*args, **kwargs).takes(Operation(kind, 2, 1))

    def _present(self, vm_state='active', task_state=None, devices=(),
                 status='available', multiattach=False, servers=('s', 't'),
                 host='host', waiting=(), changed=()):
        rules = mock.Mock()
        rules.volume.return_value = {
            'status': status, 'multiattach': multiattach}
        history = mock.Mock(
            servers=servers, past=mock.Mock(changed=changed))
        history.nova = mock.Mock(
            rules=rules, messages=mock.Mock(waiting=list(waiting)),
            lags=False, released=mock.Mock(had={}))
        history.model.read_only.return_value = []
        history.alive.return_value = list(servers)
        history.rows.states.return_value = {
            server: State(host, vm_state, task_state)
            for server in servers}
        history.volume_of = 'volume{}'.format
        history.rows.devices.return_value = devices
        return self.module.Present(history)

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

    def test_deletions(self):
        self.assertTrue(self._takes('soft-delete', servers=('s',)))
        self.assertFalse(self._takes('restore'))
        self.assertTrue(self._takes('restore', 'soft-delete'))
        for kind in ('force-delete', 'delete-while-down',
                     'delete-at-restart'):
            self.assertTrue(self._takes(kind))
            self.assertFalse(self._takes(kind, servers=('s',)))
        self.assertFalse(self._takes('delete-while-down', host=None))

    def test_once_more(self):
        # There is nothing that it would be the same as.
        self.assertFalse(self._takes('once-more'))

    def test_rows(self):
        data = Device('s', 'volume1', None)
        self.assertFalse(self._takes('bare-row', devices=[data]))
        self.assertTrue(self._takes('bare-row'))
        self.assertFalse(self._takes('unsaved-connection'))
        self.assertTrue(self._takes('steal', devices=[data]))

    def test_messages(self):
        self.assertFalse(self._takes('deliver'))
        self.assertTrue(self._takes('deliver', waiting=['message']))

    def test_never_built(self):
        self.assertTrue(self._takes('rebuild', 'error'))
        self.assertFalse(self._takes('rebuild', 'error', host=None))

    def test_groups(self):
        moves = self.module.of_groups(['moves', 'lag'])
        self.assertIn('evacuate', moves)
        self.assertIn('lag', moves)
        self.assertNotIn('stop', moves)
        for kinds in self.module.GROUPS.values():
            for kind in kinds:
                self.assertNotIn(kind, ('shelve', 'swap', 'rebuild'))

    def test_situation(self):
        def situation(number=0, **state):
            return self._present(**state).situation(
                Operation('swap', number, 0))

        self.assertEqual(['shelved'], situation(vm_state='shelved'))
        self.assertEqual(['active', 'waits'], situation(waiting=['message']))
        self.assertEqual(['no server'], situation(servers=()))
        self.assertEqual(['active', 'changed'], situation(1, changed=['t']))
        self.assertEqual(['active'], situation(0, changed=['t']))
        devices = [Device('s', 'root', 0), Device('s', 'volume', None),
                   Device('t', 'volume', None)]
        self.assertEqual(
            ['active', 'on a volume', 'shared'], situation(devices=devices))
        self.assertEqual(['active'], situation(devices=devices[1:2]))

    def test_of_no_server(self):
        # A host is restarted also while its server waits for a message.
        self.assertTrue(self._takes('restart', task_state='rebuilding'))
        self.assertFalse(self._takes('rebuild', task_state='rebuilding'))


class GuideTest(test_histories.InsideTest):
    """What is done next, and what is injected."""

    MODULE = 'guide'

    def setUp(self):
        super().setUp()
        self.guide = self.module.Guide(
            {}, ['shelve', 'swap', 'swap', 'create'])
        self.asked = collections.Counter()
        self.situation = ['active']

    def _pick(self, *kinds):
        present = mock.Mock()
        present.situation.return_value = self.situation
        return self.guide.pick([Operation(kind, 0, 0) for kind in kinds],
                               present, self.asked).kind

    def _learn(self, met=(), **asked):
        self._note(met, **asked)
        self.guide.learn()

    def _note(self, met=(), **asked):
        self.guide.note(mock.Mock(record=mock.Mock(met=met, situations=[
            (kind, ['active'])
            for kind in asked for _ in range(asked[kind])])))

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

    def test_rare_situation(self):
        self._learn(swap=9, shelve=1)
        self.assertEqual('shelve', self._pick('swap', 'shelve'))
        self.situation = ['active', 'shared']
        self.assertEqual('swap', self._pick('swap', 'shelve'))

    def test_not_before_it_learns(self):
        self._note(swap=9)
        self.assertEqual('swap', self._pick('swap', 'shelve'))
        self.guide.learn()
        self.assertEqual('shelve', self._pick('swap', 'shelve'))

    def test_trouble_it_had_least(self):
        refused = Trouble('call', 1, '409', name='get')
        lost = refused._replace(fault='lost')
        self.assertEqual(refused, self.guide.choose('swap', [refused, lost]))
        self._learn([('swap', refused, 1)])
        self.assertEqual(lost, self.guide.choose('swap', [refused, lost]))
        self.assertEqual(refused, self.guide.choose('shelve', [refused, lost]))

    def test_rivals_alike(self):
        first, second, other = (
            Trouble('rival', 1, rival=Operation(kind, volume, volume))
            for kind, volume in (('delete', 0), ('delete', 1), ('stop', 0)))
        self._learn([('swap', first, 1)])
        self.assertEqual(other, self.guide.choose('swap', [second, other]))

    def test_no_trouble(self):
        trouble = Trouble('spawn', 0)
        self._learn([('swap', trouble, 0)])
        self.assertIsNone(self.guide.choose('swap', [trouble]))
        self.assertIsNone(self.guide.choose('swap', []))

    def test_most(self):
        trouble = Trouble('call', 7)
        self.assertEqual(trouble, self.guide.likely('swap', trouble))
        self.assertTrue(self.guide.finds('swap', trouble))
        self._learn([('swap', Trouble('call', 7), 3)])
        self._learn([('swap', Trouble('call', 1), 1)])
        for nth, likely in ((1, 1), (3, 3), (7, 1), (8, 2)):
            self.assertEqual(
                likely, self.guide.likely('swap', Trouble('call', nth)).nth)
        self.assertEqual(7, self.guide.likely('shelve', trouble).nth)

    def test_none(self):
        trouble = Trouble('write', 4)
        self._learn([('swap', trouble, 0)])
        self.assertFalse(self.guide.finds('swap', trouble))
        self.assertEqual(1, self.guide.likely('swap', trouble).nth)
        trouble = Trouble('call', 2, name='get')
        self._learn([('swap', trouble, 0)])
        self.assertEqual(
            Trouble('call', 2), self.guide.likely('swap', trouble))

    def test_in_copy(self):
        trouble = Trouble('rival', 0)
        self._learn([('shelve', trouble, 0)])
        self.assertFalse(self.guide.finds('shelve', trouble))
        self.assertTrue(self.guide.finds('shelve', Trouble('rival', 1)))

    def test_goes_on(self):
        self._learn([('swap', Trouble('call', 7), 3)], swap=3)
        other = self.module.Guide(self.guide.known, ['swap'])
        self.assertEqual(1, other.likely('swap', Trouble('call', 7)).nth)
        self.assertEqual({'swap, active': 3}, other.known['asked'])
