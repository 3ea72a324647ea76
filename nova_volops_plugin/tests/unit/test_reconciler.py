# SPDX-License-Identifier: Apache-2.0

"""The series' reconciler under Hypothesis, which Nova's tests do not have.

Its tests in Nova draw states at random; Hypothesis looks for the smallest
state that breaks a property. Of Nova the module imports only one like itself,
so both are taken from the patches that add them.
"""

import pathlib
import sys
import tempfile
import types
from unittest import mock

import hypothesis
from hypothesis import strategies as st
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.series import patch

_VOLUMES = ('volume-1', 'volume-2')
_IDS = ('a1', 'a2', 'a3')
_HOSTS = ('here', 'elsewhere', None)
# Those that the decisions tell apart, and others that they must not trust.
_STATUSES = ('available', 'in-use', 'reserved', 'attaching', 'detaching',
             'error', 'retyping', None)
_ATTACH_STATUSES = ('attached', 'reserved', 'attaching', 'error_detaching',
                    None)
_MIGRATIONS = (None, 'none', 'success', 'error', 'deleting', 'migrating',
               'target:volume-2')

# The same examples in every run, whatever an earlier one found.
_settings = hypothesis.settings(
    derandomize=True, database=None, deadline=None, max_examples=300,
    suppress_health_check=[hypothesis.HealthCheck.differing_executors])


def _load(path):
    """Return a file that the series adds to the default base as a module."""
    base = nova_base.default()
    module = types.ModuleType(path)
    with tempfile.TemporaryDirectory() as folder:
        git = bases_git.isolated(folder)
        for each in patch.load(base):
            if any(change.path == path for change in each.changes):
                git.run('apply', '--include=' + path, each.path)
        source = pathlib.Path(folder, path).read_text()
    exec(compile(source, path, 'exec'), module.__dict__)
    return module


_package = types.ModuleType('nova.volume')
_package.migration_status = _load('nova/volume/migration_status.py')
with mock.patch.dict(sys.modules, {'nova': types.ModuleType('nova'),
                                   'nova.volume': _package}):
    reconciler = _load('nova/compute/attachment_reconciler.py')


def _mostly(values):
    """Draw one of the first values more often than the others."""
    return st.sampled_from(values[:2]) | st.sampled_from(values)


_rarely = st.sampled_from((False, False, False, True))
_volume = st.builds(
    reconciler.Volume, exists=st.just(True), status=_mostly(_STATUSES),
    multiattach=st.booleans(), migration_status=_mostly(_MIGRATIONS),
    names_server=st.booleans(), settled=st.booleans(),
    hosts=st.fixed_dictionaries(
        {}, optional={each: st.sampled_from(_HOSTS) for each in _IDS}))


@st.composite
def _states(draw):
    """What Nova holds, what Cinder lists, and what it says of volumes."""
    devices = draw(st.lists(st.builds(
        reconciler.BlockDevice, st.sampled_from(_VOLUMES),
        st.sampled_from(_IDS + (None,)), _rarely), max_size=2))
    attachments = [
        reconciler.Attachment(
            each, draw(st.sampled_from(_VOLUMES + (None,))),
            draw(_mostly(_ATTACH_STATUSES)))
        for each in draw(st.lists(st.sampled_from(_IDS), unique=True,
                                  max_size=2))]
    evidence = reconciler.Evidence(
        {each: draw(_volume | _volume | st.sampled_from(
            (reconciler.GONE, None))) for each in _VOLUMES},
        {each: draw(st.sampled_from((False, False, True, None)))
         for each in _IDS},
        [draw(st.sampled_from((True, True, False, None)))])
    return (devices, attachments, evidence,
            draw(st.sampled_from(_HOSTS)), draw(_rarely), draw(_rarely))


def _deleted(verdicts, block_device):
    return [verdict for verdict in verdicts
            if verdict.action == reconciler.DELETE and
            verdict.block_device == block_device]


class ReconcilerTest(testtools.TestCase):

    @_settings
    @hypothesis.given(_states())
    def test_deletes_no_block_device_in_use(self, state):
        devices, attachments, evidence, host, in_flight, _off = state
        listed = {each.id for each in attachments}
        held = {each.attachment_id for each in devices}
        verdicts = reconciler.reconcile(*state)
        for device, verdict in zip(devices, verdicts):
            if verdict.action != reconciler.DELETE:
                continue
            self.assertFalse(device.is_root or in_flight)
            self.assertIsNotNone(device.attachment_id)
            self.assertNotIn(device.attachment_id, listed)
            self.assertEqual([], [
                each for each in attachments
                if each.volume_id == device.volume_id and
                each.id not in held])
            # Absence from the list was asked for.
            self.assertIs(False, evidence.attachments[device.attachment_id])
            volume = evidence.volumes[device.volume_id]
            if volume.exists:
                self.assertFalse(volume.names_server)
                self.assertNotIn(
                    volume.migration_status, ('migrating', 'target:volume-2'))
                self.assertTrue(
                    volume.status == 'available' or
                    volume.status == 'in-use' and volume.multiattach)

    @_settings
    @hypothesis.given(_states())
    def test_deletes_no_attachment_in_use(self, state):
        devices, attachments, evidence, host, in_flight, off = state
        verdicts = reconciler.reconcile(*state)
        kept = ({each.attachment_id for each in devices} |
                {verdict.adopted_id for verdict in verdicts})
        status = {each.id: each.status for each in attachments}
        for verdict in _deleted(verdicts, block_device=False):
            self.assertFalse(in_flight)
            self.assertNotIn(verdict.attachment_id, kept)
            self.assertNotIn((verdict.volume_id, None), [
                (each.volume_id, each.attachment_id) for each in devices])
            if status[verdict.attachment_id] != 'reserved':
                self.assertEqual('attached', status[verdict.attachment_id])
                connected = evidence.volumes[verdict.volume_id].hosts.get(
                    verdict.attachment_id)
                self.assertIsNotNone(connected)
                # Whoever deletes it has that host disconnect first.
                self.assertEqual(connected, verdict.connected_to)
                self.assertTrue(off or connected != host)

    @_settings
    @hypothesis.given(_states())
    def test_is_done_after_one_pass(self, state):
        devices, attachments, evidence, host, in_flight, off = state
        verdicts = reconciler.reconcile(*state)
        left = [
            device._replace(attachment_id=(
                verdict.adopted_id or device.attachment_id))
            for device, verdict in zip(devices, verdicts)
            if verdict.action != reconciler.DELETE]
        gone = {verdict.attachment_id
                for verdict in _deleted(verdicts, block_device=False)}
        again = reconciler.reconcile(
            left, [each for each in attachments if each.id not in gone],
            evidence, host, in_flight, off)
        self.assertEqual(set(), {verdict.action for verdict in again} & {
            reconciler.ADOPT, reconciler.DELETE})

    @_settings
    @hypothesis.given(_states())
    def test_what_was_not_asked_proves_nothing(self, state):
        devices, attachments, evidence, host, in_flight, off = state
        for evidence in (
                reconciler.Evidence(),
                reconciler.Evidence(dict.fromkeys(_VOLUMES),
                                    dict.fromkeys(_IDS), [None])):
            verdicts = reconciler.reconcile(
                devices, attachments, evidence, host, in_flight, off)
            self.assertEqual([], _deleted(verdicts, block_device=True))
            self.assertEqual([], [
                verdict for verdict in _deleted(verdicts, block_device=False)
                if verdict.connected_to])

    def test_each_action_is_among_the_states(self):
        # The above would hold for one that keeps everything.
        for action, block_device in (
                (reconciler.ADOPT, True), (reconciler.DELETE, True),
                (reconciler.DELETE, False)):
            hypothesis.find(
                _states(),
                lambda state: (action, block_device) in [
                    (verdict.action, verdict.block_device)
                    for verdict in reconciler.reconcile(*state)],
                settings=hypothesis.settings(
                    _settings, max_examples=20000))
