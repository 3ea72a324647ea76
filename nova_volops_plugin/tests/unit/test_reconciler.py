# SPDX-License-Identifier: Apache-2.0

"""What the series' reconciler repairs is repaired for good.

The series' own test holds it to its other rules. Of Nova the module imports
only one like itself, so both are taken from the patches that add them.
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
_STATUSES = ('in-use', 'detaching', 'available', 'reserved', 'attaching',
             'error', 'retyping', None)
_AGE = 3600
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
_ages = st.sampled_from((2 * _AGE, 2 * _AGE, 0))
_volume = st.builds(
    reconciler.Volume, exists=st.just(True), status=_mostly(_STATUSES),
    multiattach=st.booleans(), migration_status=_mostly(_MIGRATIONS),
    instances=st.sampled_from((frozenset(), frozenset({'another'}))),
    is_ours=_rarely, idle=_ages,
    hosts=st.fixed_dictionaries(
        {}, optional={each: st.sampled_from(_HOSTS) for each in _IDS}))


class _View:
    """Cinder and the guest as they were drawn."""

    def __init__(self, attachments, volumes, known, guest, trusted):
        self.listed = attachments
        self.volumes = volumes
        self.known = known
        self.guest = guest
        self.trusted = trusted

    def attachments(self):
        return self.listed

    def volume(self, volume_id):
        return self.volumes[volume_id]

    def has_attachment(self, attachment_id):
        return self.known[attachment_id]

    def is_connected(self, attachment_id):
        """It is unknown."""

    def is_trusted(self, since):
        return self.trusted

    def guest_has(self, volume_id):
        return self.guest[volume_id]


@st.composite
def _states(draw):
    """Draw what Nova has, what Cinder has, and what the guest has."""
    host = draw(_mostly(_HOSTS))
    instance = reconciler.Instance(
        host=host, this_host=draw(st.just(host) | st.sampled_from(_HOSTS)),
        busy=draw(st.sampled_from((None, None, None, 'it is being moved'))),
        guest_off=draw(st.booleans()), swap_failed=draw(_rarely),
        check_status=draw(st.sampled_from((True, True, False))),
        age=_AGE)
    devices = draw(st.lists(st.builds(
        reconciler.BlockDevice, _mostly(_VOLUMES[:1] + _VOLUMES),
        _mostly(_IDS + (None,)), is_root=_rarely,
        bdm=st.none(), has_connection=st.booleans(), held_for=_ages,
        pending=_rarely),
        min_size=1, max_size=2))
    attachments = [
        reconciler.Attachment(
            each, draw(_mostly(_VOLUMES[:1] + _VOLUMES + (None,))),
            draw(_mostly(_ATTACH_STATUSES)))
        for each in draw(st.lists(st.sampled_from(_IDS), unique=True,
                                  max_size=2))]
    view = _View(
        attachments,
        {each: draw(_volume | _volume | st.sampled_from(
            (reconciler.DELETED, None))) for each in _VOLUMES},
        {each: draw(st.sampled_from((False, False, True, None)))
         for each in _IDS},
        {each: draw(st.sampled_from((False, True, None)))
         for each in _VOLUMES},
        draw(st.booleans()))
    return instance, devices, view


def _actions(findings):
    return {finding.action for finding in findings}


class ReconcilerTest(testtools.TestCase):

    @_settings
    @hypothesis.given(_states())
    def test_is_done_after_one_pass(self, state):
        instance, devices, view = state
        findings = reconciler.reconcile(*state)
        left = [
            finding.device._replace(attachment_id=(
                finding.adopted_id or finding.device.attachment_id))
            for finding in findings
            if finding.device and finding.action != reconciler.DETACH]
        gone = {finding.attachment_id for finding in findings
                if finding.action in (reconciler.DELETE, reconciler.DETACH)}
        view.listed = [each for each in view.listed if each.id not in gone]
        again = reconciler.reconcile(instance, left, view)
        self.assertEqual(set(), _actions(again) & {
            reconciler.ADOPT, reconciler.DETACH, reconciler.DELETE})

    def test_each_action_is_among_the_states(self):
        # The above would hold for one that keeps everything.
        seen = set()

        @hypothesis.settings(_settings, max_examples=4000)
        @hypothesis.given(_states())
        def look(state):
            seen.update(_actions(reconciler.reconcile(*state)))

        look()
        self.assertLessEqual(set(reconciler.REPAIRS), seen)
