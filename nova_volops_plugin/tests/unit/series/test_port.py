# SPDX-License-Identifier: Apache-2.0

import shutil
from unittest import mock

from nova_volops_plugin.bases import git
from nova_volops_plugin.bases import microversion
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import port
from nova_volops_plugin.series import renumber
from nova_volops_plugin.tests.unit.series import commands
from nova_volops_plugin.tests.unit.series import samples

VERSIONS = microversion.PATH
MANAGER = 'nova/compute/manager.py'


class NumbersTest(samples.TestCase):

    def test_text(self):
        numbers = renumber.following(104, 2, 100)
        for old, new in (
                (b'2.105 and v2.106', b'2.101 and v2.102'),
                (b'create_v2105 V2_106', b'create_v2101 V2_102'),
                (b"'2.94', '2.104'", b"'2.94', '2.100'"),
                (b'2.103', b'2.103'), (b'12.105', b'12.105'),
                (b'1.2.105', b'1.2.105'), (b'2.1051', b'2.1051'),
                (b'I2105e c2105', b'I2105e c2105'),
                (b'bug 2105106', b'bug 2105106')):
            self.assertEqual(new, numbers.text(old))

    def test_nothing_to_do(self):
        self.assertEqual(
            b'2.105', renumber.following(104, 2, 104).text(b'2.105'))


class PortTestCase(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.other = self.series.add_patched('one')

    def _add(self, **changed):
        """Make another release; return what carries the series to it."""
        self.base = self.series.add('two', '2.0.0', **changed)
        path, repository = self.series.fetch('two')
        self.tree = checkout.Checkout(path, repository)
        return port.Port(self.base, self.tree, self.series.root)

    def _begin(self, **changed):
        self.port = self._add(**changed)
        return self.port.begin(self.other, self.series.fetch('one')[0])

    def _subjects(self):
        return self.tree.git.line(
            'log', '--reverse', '--format=%s', '2.0.0..HEAD').splitlines()


class PortTest(PortTestCase):

    def test_numbers(self):
        state = self._begin(**{
            VERSIONS.replace('/', '__'): "_MAX_API_VERSION = '2.14'\n"})
        self.assertEqual(port.State(3, 0, None, [], ()), state)
        self.assertEqual(
            ['Add a module', 'compute: Change a line',
             'api: Add microversion 2.15'], self._subjects())
        self.assertEqual("_MAX_API_VERSION = '2.15'\n",
                         (self.tree.path / VERSIONS).read_text())
        self.series.export('two', self.tree.path)
        self.assertEqual(('2.10', '2.15'),
                         self.series.load('two').microversions)

    def test_authors_and_dates_stay(self):
        self._begin()
        wanted = '--format=%an %ae %aI %(trailers:key=Change-Id)'
        clone = checkout.Checkout(*self.series.fetch('one'))
        clone.apply(self.other)
        self.assertEqual(
            clone.git.line('log', wanted, '1.0.0..HEAD'),
            self.tree.git.line('log', wanted, '2.0.0..HEAD'))

    def test_release_has_a_file_of_the_new_number(self):
        """Its samples are of another microversion than the series' are."""
        self.series.add('three', '3.0.0', **{
            'doc__v2.10__x.json': 'released\n'})
        clone, _git = self.series.clone('three')
        self.series.commit(
            clone, {'doc/v2.11/x.json': 'ours\n',
                    VERSIONS: "_MAX_API_VERSION = '2.11'\n"},
            samples.message('Add samples'))
        self.series.export('three', clone)
        self.other = self.series.load('three')
        self.port = self._add(**{
            VERSIONS.replace('/', '__'): "_MAX_API_VERSION = '2.9'\n"})
        state = self.port.begin(self.other, self.series.fetch('three')[0])
        self.assertEqual([], state.conflicts)
        self.assertEqual(
            'ours\n', (self.tree.path / 'doc/v2.10/x.json').read_text())

    def test_has_it_already(self):
        state = self._begin(
            nova__compute__manager_py=samples.FILES[MANAGER].replace(
                'line_20 = 20', 'line_20 = 21'),
            **{'doc__notes.rst': 'Notes\n'})
        self.assertEqual(('compute: Change a line',), state.not_needed)
        self.assertEqual(2, state.done)

    def test_other_commits(self):
        carried = self._add()
        self.series.commit(self.tree.path, {'x': 'y'}, 'Mine')
        self.assertRefused(
            checkout.Refused, 'commits after the release', carried.begin,
            self.other, self.series.fetch('one')[0])

    def test_changes(self):
        carried = self._add()
        (self.tree.path / MANAGER).write_text('changed\n')
        self.assertRefused(
            checkout.Refused, MANAGER, carried.begin, self.other,
            self.series.fetch('one')[0])

    def test_not_begun(self):
        self.assertRefused(
            checkout.Refused, '--from', self._add().go_on)


class ConflictTest(PortTestCase):

    def setUp(self):
        super().setUp()
        self.state = self._begin(
            nova__compute__manager_py=samples.FILES[MANAGER].replace(
                'line_20 = 20', 'line_20 = 99'))

    def test_told(self):
        line = self._marked().index('<<<<<<< two (nova 2.0.0)') + 1
        self.assertEqual(port.State(1, 2, 'compute: Change a line', [
            port.Conflict(MANAGER, 'both changed it', [line], ['one'])],
            (), patch='0002-compute-change-a-line.patch'), self.state)
        self.assertEqual(
            ['<<<<<<< two (nova 2.0.0)', 'line_20 = 99', '=======',
             'line_20 = 21',
             '>>>>>>> one (nova 1.0.0): compute: Change a line'],
            self._marked()[20:25])

    def test_marks_with_what_was_before(self):
        self.tree.git.run('cherry-pick', '--abort')
        self.tree.git.run('reset', '-q', '--hard', '2.0.0')
        self.tree.git.run('config', 'merge.conflictStyle', 'diff3')
        self.port.begin(self.other, self.series.fetch('one')[0])
        self.assertEqual(
            ['||||||| one (nova 1.0.0)', 'line_20 = 20', '======='],
            self._marked()[22:25])

    def _marked(self):
        return (self.tree.path / MANAGER).read_text().splitlines()

    def test_not_fixed(self):
        self.assertRefused(checkout.Refused, MANAGER, self.port.go_on)
        self.assertEqual(1, len(self._subjects()))

    def test_fixed(self):
        (self.tree.path / MANAGER).write_text('fixed = 1\n')
        self.assertEqual(
            port.State(3, 0, None, [], ()), self.port.go_on())
        self.assertEqual(['fixed = 1'], self._marked())
        self.assertNotIn('Conflicts', self.tree.git.line(
            'log', '--format=%B', '2.0.0..HEAD'))

    def test_other_changes_are_not_added(self):
        """What a conflict makes needed elsewhere must be in the patch."""
        (self.tree.path / MANAGER).write_text('fixed = 1\n')
        (self.tree.path / VERSIONS).write_text('changed\n')
        self.assertRefused(
            checkout.Refused, [VERSIONS, 'git add'], self.port.go_on)
        self.tree.git.run('add', VERSIONS)
        self.assertEqual(1, len(self._subjects()))

    def test_committed_by_hand(self):
        (self.tree.path / MANAGER).write_text('fixed = 1\n')
        self.tree.git.run('add', MANAGER)
        self.tree.git.run('commit', '--quiet', '--no-edit')
        self.assertRefused(
            checkout.Refused, '--continue', self.port.begin, self.other,
            self.series.fetch('one')[0])
        self.assertEqual(
            port.State(3, 0, None, [], ()), self.port.go_on())


class LikeTest(PortTestCase, commands.TestCase):
    """A third base has the line as this one has it."""

    def setUp(self):
        super().setUp()
        self._begin(nova__compute__manager_py=self._manager(99))
        self.third = self._add_third(100)

    def _manager(self, value):
        return samples.FILES[MANAGER].replace(
            'line_20 = 20', 'line_20 = %d' % value)

    def _add_third(self, value):
        self.series.add(
            'three', '3.0.0', nova__compute__manager_py=self._manager(99))
        clone, _git = self.series.clone('three')
        self.series.commit(clone, {
            MANAGER: self._manager(value), 'nova/new.py': 'x = 1\n',
            'README.rst': 'Nova 2.11\n'}, self.tree.git.line(
                'show', '--no-patch', '--format=%B', 'CHERRY_PICK_HEAD'))
        self.series.commit(
            clone, {VERSIONS: "_MAX_API_VERSION = '2.11'\n"},
            samples.message('api: Add microversion 2.11'))
        self.series.export('three', clone)
        return self.series.load('three')

    def _take(self):
        return self.port.take(self.third, self.series.fetch('three')[0])

    def test_merged(self):
        # A file that this base has not is not made.
        self.assertEqual({MANAGER: 0, 'README.rst': 0}, self._take())
        self.assertEqual(self._manager(100),
                         (self.tree.path / MANAGER).read_text())
        self.tree.git.run('add', 'README.rst')
        self.assertEqual(3, self.port.go_on().done)

    def test_conflict_stays(self):
        self.tree.git.run('cherry-pick', '--abort')
        self.series.commit(
            self.tree.path, {MANAGER: self._manager(98)}, 'Another')
        self.tree.git.attempt('cherry-pick', port.SOURCE + '~1')
        self.assertEqual({MANAGER: 1, 'README.rst': 0}, self._take())
        self.assertEqual(
            ['<<<<<<< two (nova 2.0.0)', 'line_20 = 98', '=======',
             'line_20 = 100',
             '>>>>>>> three (nova 3.0.0): compute: Change a line'],
            (self.tree.path / MANAGER).read_text().splitlines()[20:25])

    def test_no_conflict(self):
        self.tree.git.run('cherry-pick', '--abort')
        self.assertRefused(checkout.Refused, 'no conflict', self._take)

    def test_other_change(self):
        self.third = self.series.load('one')
        with mock.patch.object(
                self.port, '_change_id', return_value='I' + 40 * '0'):
            self.assertEqual(
                {}, self.port.take(self.third, self.series.fetch('one')[0]))

    def test_command(self):
        code, out, err = self.volops('port', 'two', '--like', 'three')
        self.assertEqual(0, code, err)
        self.assertIn(MANAGER, out)


class MissingFileTest(PortTestCase):

    def test_conflict(self):
        conflict, = self._begin(nova__compute__manager_py=None).conflicts
        self.assertEqual((MANAGER, 'this release does not have it', []),
                         (conflict.path, conflict.why, conflict.lines))
        # A file without marks may not have been looked at.
        self.assertRefused(
            checkout.Refused, [MANAGER, 'git rm'], self.port.go_on)
        self.tree.git.run('rm', '--quiet', '--force', MANAGER)
        self.assertEqual(3, self.port.go_on().done)


class CommandTest(commands.TestCase):

    def setUp(self):
        super().setUp()
        self.series.add_patched('one')

    def test_port(self):
        self.series.add('two', '2.0.0')
        code, _out, err = self.volops('port', 'two', '--from', 'one')
        self.assertEqual(0, code, err)
        self.assertIn('patch export two', err)
        path = self.series.fetch('two')[0]
        self.assertEqual('3', git.isolated(path).line(
            'rev-list', '--count', '2.0.0..HEAD'))

    def test_conflict(self):
        self.series.add('two', '2.0.0', nova__compute__manager_py='x = 1\n')
        code, out, err = self.volops('port', 'two', '--from', 'one')
        self.assertEqual(3, code, err)
        self.assertIn(MANAGER, out)
        self.assertIn('0002 compute: Change a line\n', err)
        self.assertIn('--continue', err)

    def test_conflict_fits_a_terminal(self):
        self.series.add('two', '2.0.0', nova__compute__manager_py='x = 1\n')
        self.series.add_patched('one')
        for name in ('1.older', '1.oldest', '3.newer', 'xena'):
            shutil.copytree(self.series.root / 'one', self.series.root / name)
        _code, out, _err = self.volops('port', 'two', '--from', 'one')
        self.assertIn('1.older, 1.oldest, 3.newer, one, xena', out)
        self.assertLess(max(map(len, out.splitlines())), 100)

    def test_misfit(self):
        """What merges without a conflict is looked through."""
        module = 'nova__compute__other_py'
        self.series.add('three', '3.0.0', **{module: 'def track(): pass\n'})
        clone, _git = self.series.clone('three')
        self.series.commit(
            clone, {'nova/new.py': 'other.track()\n'},
            samples.message('Add another module'))
        self.series.export('three', clone)
        self.series.add('two', '2.0.0')
        code, out, err = self.volops('port', 'two', '--from', 'three')
        self.assertEqual(3, code, err)
        self.assertIn('nothing here is called track', out)
        self.assertIn('does not fit', err)
        self.assertIn('patch export two', err)

    def test_no_such_base(self):
        code, _out, err = self.volops('port', 'two', '--from', 'one')
        self.assertEqual(2, code)
        self.assertIn('--release', err)
