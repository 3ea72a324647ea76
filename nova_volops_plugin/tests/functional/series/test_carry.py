# SPDX-License-Identifier: Apache-2.0

"""Changes of the newest base's real series, brought to the other bases."""

import pathlib
import shutil
import tempfile

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.series import carry
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import export
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import tree
from nova_volops_plugin.series import verify
from nova_volops_plugin import state
from nova_volops_plugin.tests.unit.series import samples

DRIVER = 'nova/virt/libvirt/driver.py'
DRIVER_TEST = 'nova/tests/unit/virt/libvirt/test_driver.py'
READ_ONLY = 'libvirt: Do not resize read-only disks online'
OFFLINE = 'libvirt: Swap volumes of guests that are off'
WORDS = 'libvirt does not resize a read-only disk of a running guest'
OTHER_WORDS = 'libvirt refuses to resize the read-only disk of a guest'
# The base before the newest one passes the instance, too.
CONFIG = 'new_conf = self._get_volume_config(new_connection_info, disk_info)'


class CarryTest(testtools.TestCase):
    """All tests share a tree with the series, and a copy of the patches."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        top = pathlib.Path(tempfile.mkdtemp(prefix='nova-volops-'))
        cls.addClassCleanup(shutil.rmtree, top)
        shared = state.StateDir()
        cls.state = state.StateDir(top / 'state')
        cls.state.path.mkdir()
        for folder in shared.sdists, shared.trees:
            (cls.state.path / folder.name).symlink_to(folder)
        cls.base = nova_base.default()
        cls.path = top / 'tree'
        tree._clone(tree.fetch(shared, cls.base), cls.path, cls.base)
        cls.git = samples.repository(cls.path)
        cls.tree = checkout.Checkout(cls.path, cls.git)
        cls.tree.apply(cls.base)
        cls.head = cls.tree.head()
        cls.root = shutil.copytree(cls.base.path.parent, top / 'patches')
        cls.patches = samples.repository(cls.root)
        cls.patches.run('init', '--quiet')
        cls.patches.run('add', '--all')
        cls.patches.run('commit', '--quiet', '--message', 'All')

    def setUp(self):
        super().setUp()
        self.patches.run('reset', '--quiet', '--hard')
        self.patches.run('clean', '--quiet', '-d', '--force')
        self.git.run('reset', '--quiet', '--hard', self.head)
        shutil.rmtree(self.state.path / 'carry', ignore_errors=True)
        self.carry = carry.Carry(self.state, self.root)
        self.others = sorted(
            set(nova_base.names(self.root)) - {self.base.name})
        self.older = max(
            (nova_base.Base.load(name) for name in self.others),
            key=lambda base: base.release).name

    def _replace(self, subject, path, old, new):
        """Change the text of a file in a patch."""
        file = self.path / path
        text = file.read_text()
        self.assertEqual(1, text.count(old))
        file.write_text(text.replace(old, new))
        commit = self.git.line(
            'log', '--fixed-strings', '--grep', subject, '--format=%H',
            '%s..HEAD' % self.base.version)
        self.git.run('commit', '--quiet', '--all', '--fixup', commit)
        self.git.using(GIT_SEQUENCE_EDITOR='true').run(
            'rebase', '--quiet', '--interactive', '--autosquash', commit + '^')

    def _export(self):
        base = nova_base.Base.load(self.base.name, self.root)
        return export.export(
            base, self.git, self.tree, export.start(self.tree, base),
            self.root)

    def _patch(self, name, subject):
        base = nova_base.Base.load(name, self.root)
        patch, = [patch for patch in series_patch.load(base)
                  if patch.subject == subject]
        return patch.content.decode()

    def assertVerified(self, names):
        for name in names:
            base = nova_base.Base.load(name, self.root)
            self.assertEqual({''}, {each.problem for each in verify.verify(
                base, tree.fetch(self.state, base))})

    def test_changed(self):
        """One change comes to all bases, and nothing else changes there."""
        self._replace(READ_ONLY, DRIVER_TEST, WORDS, OTHER_WORDS)
        files = {name.partition('/')[2] for name in self._export()}
        outcome = self.carry.begin()
        self.assertEqual([], outcome.conflicts)
        self.assertEqual([(name, 'changed', READ_ONLY)
                          for name in self.others], outcome.changed)
        for name in self.others:
            patch = self._patch(name, READ_ONLY)
            self.assertIn(OTHER_WORDS, patch)
            self.assertNotIn(WORDS, patch)
        self.assertEqual(
            {'%s/%s' % (name, file)
             for name in self.others for file in files},
            set(outcome.written))
        self.assertVerified(self.others[:1])

    def test_conflict(self):
        self._replace(OFFLINE, DRIVER, CONFIG,
                      CONFIG.replace('new_connection_info', 'new'))
        self._export()
        before = samples.snapshot(self.root / self.older)
        conflict, = self.carry.begin(to=[self.older]).conflicts
        self.assertEqual((OFFLINE, DRIVER), (conflict.subject, conflict.path))
        place, = conflict.places
        self.assertIn('(new, disk_info)', '\n'.join(place.theirs))
        self.assertIn('instance, new_conn', '\n'.join(place.ours))
        self.assertEqual(before, samples.snapshot(self.root / self.older))

        lines = conflict.file.read_text().splitlines(keepends=True)
        first = place.line - 1
        end = first + len(place.ours + place.base + place.theirs) + 4
        lines[first:end] = [line + '\n' for line in place.ours]
        conflict.file.write_text(''.join(lines) + '# The end.\n')
        # What is edited besides is not lost.
        other = conflict.file.with_name('guest.py')
        other.write_text(other.read_text() + '# Its end.\n')
        conflict.file.with_name('added.py').write_text('VALUE = 1\n')
        outcome = self.carry.go_on()
        self.assertEqual([(self.older, 'changed', OFFLINE)], outcome.changed)
        patch = self._patch(self.older, OFFLINE)
        for line in '# The end.', '# Its end.', 'VALUE = 1':
            self.assertIn('\n+%s\n' % line, patch)
        self.assertVerified([self.older])
