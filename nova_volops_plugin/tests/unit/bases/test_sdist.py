# SPDX-License-Identifier: Apache-2.0

import subprocess
import tarfile

from nova_volops_plugin.bases import repository
from nova_volops_plugin.bases import sdist
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import tree
from nova_volops_plugin.tests.unit.series import samples


def _member(name, size=1, **attributes):
    member = tarfile.TarInfo(name)
    member.size = size
    for key, value in attributes.items():
        setattr(member, key, value)
    return member


class MembersTest(samples.TestCase):

    def _read(self, *members):
        path = self.series.top / 'nova.tar.gz'
        samples.sdist(path, '1.0.0', {'README.rst': 'Nova'}, members)
        return self._members(path)

    def _members(self, path):
        with sdist.members(path, 'nova-1.0.0') as found:
            return list(found)

    def test_files(self):
        self.assertEqual(
            [('README.rst', False, b'Nova', 1700000000),
             ('run', True, b'x', 0)],
            self._read(_member('nova-1.0.0/run', mode=0o755),
                       _member('nova-1.0.0/d', 0, type=tarfile.DIRTYPE)))

    def test_outside(self):
        for name in ('../x', '/etc/x', 'other/x', 'nova-1.0.0/../x',
                     'nova-1.0.0/.git/config', 'nova-1.0.0/a/.Git/x',
                     'nova-1.0.0//x', 'nova-1.0.0/a\\x'):
            self.assertRefused(
                exceptions.BadInput, 'not below', self._read, _member(name))

    def test_links_and_devices(self):
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE,
                     tarfile.FIFOTYPE):
            self.assertRefused(
                exceptions.BadInput, 'no regular file', self._read,
                _member('nova-1.0.0/x', 0, type=kind, linkname='/etc'))

    def test_too_big(self):
        self.patch(sdist, 'MAX_BYTES', 100)
        self.assertRefused(
            exceptions.BadInput, 'no Nova', self._read,
            _member('nova-1.0.0/x', 101))

    def test_too_many(self):
        self.patch(sdist, 'MAX_MEMBERS', 2)
        self.assertRefused(
            exceptions.BadInput, 'no Nova', self._read,
            _member('nova-1.0.0/x'), _member('nova-1.0.0/y'))

    def test_truncated(self):
        self._read()
        path = self.series.top / 'nova.tar.gz'
        path.write_bytes(path.read_bytes()[:-20])
        self.assertRefused(
            exceptions.BadInput, 'no intact tar.gz', self._members, path)


class FetchTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add('one')
        self.kept = self.series.state.sdists / self.base.sdist

    def _nothing_left(self):
        self.assertEqual(
            [], [path for path in self.series.state.trees.iterdir()
                 if path.suffix != '.lock'])

    def test_tree(self):
        path, git = self.series.fetch('one')
        self.assertEqual(
            self.base.base_tree, git.line('rev-parse', 'HEAD^{tree}'))
        self.assertEqual('', git.line('status', '--porcelain'))
        self.assertEqual(
            '[console_scripts]\n',
            (path / 'nova.egg-info/entry_points.txt').read_text())

    def test_same_commit_everywhere(self):
        other = self.useFixture(samples.Series())
        other.add('one')
        self.assertEqual(self.series.fetch('one')[1].line('rev-parse', 'HEAD'),
                         other.fetch('one')[1].line('rev-parse', 'HEAD'))

    def test_again(self):
        path, git = self.series.fetch('one')
        self.kept.unlink()
        self.assertEqual(path, self.series.fetch('one')[0])

    def test_given_file(self):
        given = self.kept.rename(self.series.top / 'given.tar.gz')
        self.assertEqual(
            self.series.state.trees / 'one',
            tree.fetch(self.series.state, self.base, sdist_file=given))

    def test_wrong_hash(self):
        given = self.kept.rename(self.series.top / 'given.tar.gz')
        given.write_bytes(given.read_bytes()[:-10])
        self.assertRefused(
            exceptions.BadInput,
            ['truncated or another file', self.base.sha256],
            tree.fetch, self.series.state, self.base, sdist_file=given)
        self._nothing_left()
        self.assertEqual([], list(self.series.state.sdists.iterdir()))

    def test_given_file_beside_a_tree(self):
        """It is looked at although nothing has to be made of it."""
        tree.fetch(self.series.state, self.base)
        given = self.series.top / 'given.tar.gz'
        self.assertRefused(
            exceptions.BadInput, 'cannot be read',
            tree.fetch, self.series.state, self.base, sdist_file=given)
        given.write_bytes(b'garbage')
        self.assertRefused(
            exceptions.BadInput, 'truncated or another file',
            tree.fetch, self.series.state, self.base, sdist_file=given)

    def test_no_network(self):
        self.kept.unlink()
        self.useFixture(samples.NoIndex())
        self.assertRefused(
            exceptions.VolopsError, ['--sdist FILE', 'nova==1.0.0'],
            tree.fetch, self.series.state, self.base)
        self._nothing_left()
        self.assertEqual([], list(self.series.state.sdists.iterdir()))

    def test_nova_for_another_python(self):
        """What fetches a base need not be what runs it."""
        given = self.kept.rename(self.series.top / self.base.sdist)
        asked = []

        def run(command):
            asked.extend(map(str, command))
            given.rename('%s/%s' % (
                asked[asked.index('--dest') + 1], self.base.sdist))
            return subprocess.CompletedProcess(command, 0, '', '')

        self.patch(sdist.child, 'run', run)
        tree.fetch(self.series.state, self.base)
        self.assertIn('--ignore-requires-python', asked)

    def test_corrupted_cache_is_not_used(self):
        self.kept.write_bytes(b'garbage')
        self.useFixture(samples.NoIndex())
        self.assertRefused(
            exceptions.VolopsError, 'pip could not download',
            tree.fetch, self.series.state, self.base)

    def test_other_tree(self):
        self.edit(self.base.path / 'base.conf',
                  self.base.base_tree, samples.ZERO_TREE)
        self.assertRefused(
            exceptions.BadInput,
            ['unpacks to the git tree', self.base.base_tree],
            self.series.fetch, 'one')
        self._nothing_left()

    def test_foreign_folder(self):
        self.series.fetch('one')[1].run(
            'update-ref', '-d', repository.tag(self.base))
        self.assertRefused(
            exceptions.VolopsError, 'is not a tree of nova 1.0.0',
            self.series.fetch, 'one')
