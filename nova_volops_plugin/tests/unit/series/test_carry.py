# SPDX-License-Identifier: Apache-2.0

import os
import re

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import git
from nova_volops_plugin.bases import microversion
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import carry
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import verify
from nova_volops_plugin.tests.unit.series import commands
from nova_volops_plugin.tests.unit.series import samples

MANAGER = 'nova/compute/manager.py'
MODULE = 'nova/compute/reimage.py'
NOTES = 'doc/notes.rst'
SAMPLE = 'doc/v2.%d/x.json'
A, B, C, D = ('I' + letter * 40 for letter in 'abcd')


def manager(**lines):
    """Return the manager with other values in some lines (``_20=21``)."""
    text = samples.FILES[MANAGER]
    for name, value in lines.items():
        text = text.replace('line%s = %s\n' % (name, name[1:]),
                            'line%s = %s\n' % (name, value))
    return text


class CarryTestCase(commands.TestCase):
    """Three bases; the last microversion of the second one is another."""

    # How the second base's release and its patch differ.
    released = {'_5': 50}
    own = {'_5': 50}
    first = {}

    def setUp(self):
        super().setUp()
        self.patches = {}
        for name, version, last in (
                ('one', '1.0.0', 10), ('two', '2.0.0', 14)):
            released = self.released if name == 'two' else {}
            own = self.own if name == 'two' else self.first
            self.series.add(name, version, **{
                'nova__compute__manager_py': manager(**released),
                microversion.PATH.replace('/', '__').replace('.py', '_py'):
                "_MAX_API_VERSION = '2.%d'\n" % last})
            conf = self.series.root / name / 'base.conf'
            conf.write_text(conf.read_text().replace(
                'rebuild = 2.10', 'rebuild = 2.%d' % (last + 1)).replace(
                    '2.10\n', '2.%d\n' % last))
            self.patches[name] = {
                A: ('Add a module', {MODULE: 'VALUE = 1\n'}),
                B: ('Change a line', {
                    MANAGER: manager(**{'_20': 21, **own}),
                    NOTES: 'Notes\n'}),
                C: ('Add microversion 2.%d' % (last + 1), {
                    microversion.PATH:
                    "_MAX_API_VERSION = '2.%d'\n" % (last + 1),
                    SAMPLE % (last + 1): '2.%d\n' % (last + 1)})}
            self.write(name)
        self.git = samples.repository(self.series.root)
        self.git.run('init', '-q')
        self.commit()
        self.before = samples.snapshot(self.series.root)

    def commit(self):
        self.git.run('add', '-A')
        self.git.run('commit', '-q', '-m', 'All')

    def write(self, name, order=None, alone=False):
        """Write a base's patches as its series."""
        path = self.series.top / ('clone-' + name)
        if not path.is_dir():
            self.series.clone(name)
        repository = git.isolated(path)
        repository.run('reset', '-q', '--hard', self.series.load(name).version)
        for key in order or self.patches[name]:
            subject, files = self.patches[name][key]
            self.series.commit(path, files, samples.message(subject, key))
        self.series.export(name, path, alone)

    def change(self, key, subject=None, **files):
        """Change, add or, without files, delete a patch of the first base."""
        patches = self.patches['one']
        if not files and not subject:
            del patches[key]
        else:
            old = patches.get(key, (None, {}))
            patches[key] = (subject or old[0], {**old[1], **{
                {'module': MODULE, 'manager': MANAGER, 'notes': NOTES}.get(
                    name, name): text for name, text in files.items()}})
        self.write('one')

    def carry(self, *args, **kwargs):
        self.carrying = carry.Carry(self.series.state, self.series.root)
        return self.carrying.begin(*args, **kwargs)

    def carried(self, *args, **kwargs):
        """Carry without a conflict; return what changed in the second base."""
        outcome = self.carry(*args, **kwargs)
        self.assertEqual([], outcome.conflicts)
        self.assertVerified()
        return [each[1:] for each in outcome.changed]

    def assertVerified(self):
        self.assertFalse((self.series.state.path / 'carry').exists())
        for name in nova_base.names(self.series.root):
            self.assertEqual({''}, {each.problem for each in verify.verify(
                self.series.load(name), self.series.fetch(name)[0])})

    def assertUnchanged(self, name='two'):
        self.assertEqual(
            {path: text for path, text in self.before.items()
             if path.startswith(name + '/')},
            {name + '/' + path: text for path, text in samples.snapshot(
                self.series.root / name).items()})

    def text(self, path, name='two'):
        """Return a file as it is after a base's last patch."""
        base = self.series.load(name)
        _path, repository = self.series.fetch(name)
        shown = repository.attempt('show', '%s:%s' % (stack.tree(
            repository, base.version, series_patch.load(base)), path))
        return None if shown.returncode else shown.stdout.decode()

    def subjects(self):
        return [patch.subject
                for patch in series_patch.load(self.series.load('two'))]


class ChangeTest(CarryTestCase):

    def test_changed(self):
        self.change(B, manager=manager(_20=22))
        outcome = self.carry()
        self.assertEqual([], outcome.conflicts)
        self.assertEqual('one', outcome.source)
        self.assertEqual([('two', 'changed', 'Change a line')],
                         outcome.changed)
        self.assertEqual(
            ['two/0002-change-a-line.patch', 'two/base.conf'],
            outcome.written)
        self.assertVerified()
        self.assertEqual(manager(_5=50, _20=22), self.text(MANAGER))
        # What a base has already does not change there.
        after = samples.snapshot(self.series.root)
        self.assertEqual([], self.carried(source='one'))
        self.assertEqual(after, samples.snapshot(self.series.root))

    def test_microversions(self):
        self.change(C, **{SAMPLE % 11: '2.11 since 2.10\n'})
        self.assertEqual(
            [('changed', 'Add microversion 2.15')], self.carried())
        self.assertEqual('2.15 since 2.14\n', self.text(SAMPLE % 15))
        self.assertIsNone(self.text(SAMPLE % 11))

    def test_added(self):
        self.change(D, 'Add another module', **{
            'nova/other.py': '# Since 2.11\n', 'manager': manager(
                _20=21, _30=31)})
        self.assertEqual([('added', 'Add another module')], self.carried())
        self.assertEqual('# Since 2.15\n', self.text('nova/other.py'))
        self.assertEqual(manager(_5=50, _20=21, _30=31), self.text(MANAGER))

    def test_deleted(self):
        self.change(B)
        self.assertEqual([('deleted', 'Change a line')], self.carried())
        self.assertEqual(manager(_5=50), self.text(MANAGER))
        self.assertEqual(
            ['0001-add-a-module.patch', '0002-add-microversion-2.15.patch'],
            sorted(path.name for path in (
                self.series.root / 'two').glob('*.patch')))

    def test_message(self):
        self.change(B, 'Change one line')
        self.assertEqual([('changed', 'Change one line')], self.carried())
        self.assertTrue((self.series.root / 'two' /
                         '0002-change-one-line.patch').is_file())
        self.assertEqual(manager(_5=50, _20=21), self.text(MANAGER))

    def test_message_that_differs(self):
        """A base that has another message keeps it, and that is told."""
        self.patches['two'][B] = (
            'Change my line', self.patches['two'][B][1])
        self.write('two')
        self.commit()
        self.change(B, 'Change one line')
        outcome = self.carry()
        self.assertEqual([('two', 'Change my line')], outcome.kept)
        self.assertIn('Change my line', self.subjects())

    def test_reordered(self):
        self.write('one', [A, C, B], alone=True)
        tree = self.series.load('two').tree
        self.assertEqual([], self.carried())
        self.assertEqual(['Add a module', 'Add microversion 2.15',
                          'Change a line'], self.subjects())
        self.assertEqual(tree, self.series.load('two').tree)

    def test_split(self):
        one = self.patches['one']
        files = dict(one[B][1])
        self.patches['one'] = {
            A: one[A], D: ('Write notes', {NOTES: files.pop(NOTES)}),
            B: ('Change a line', files), C: one[C]}
        self.write('one')
        self.assertEqual(
            {('added', 'Write notes'), ('changed', 'Change a line')},
            set(self.carried()))
        self.assertEqual('Notes\n', self.text(NOTES))
        self.assertNotIn(NOTES, (self.series.root / 'two' /
                                 '0003-change-a-line.patch').read_text())

    def test_squashed(self):
        one = self.patches['one']
        self.patches['one'] = {
            A: ('Add all', {**one[A][1], **one[B][1]}), C: one[C]}
        self.write('one')
        tree = self.series.load('two').tree
        self.assertEqual(
            {('changed', 'Add all'), ('deleted', 'Change a line')},
            set(self.carried()))
        self.assertEqual(tree, self.series.load('two').tree)

    def test_executable(self):
        path = self.series.top / 'clone-one'
        git.isolated(path).run('config', 'core.fileMode', 'true')
        self.patches['one'][B][1][MANAGER] = manager(_20=22)
        self.write('one', [A, B])
        os.chmod(path / MODULE, 0o755)
        self.series.commit(path, {}, samples.message('Run it', D))
        self.series.export('one', path)
        self.carried()
        self.assertIn('new mode 100755', ''.join(
            patch.read_text() for patch in (
                self.series.root / 'two').glob('*-run-it.patch')))

    def test_misfit(self):
        """What only the other release defines is told."""
        self.series.add('three', '3.0.0', **{
            'nova__compute__other_py': 'def track(): pass\n'})
        self.patches['three'] = {A: self.patches['one'][A]}
        self.write('three')
        self.commit()
        self.patches['three'][A] = ('Add a module', {
            MODULE: 'VALUE = len(other.track(), os)\n'})
        self.write('three')
        code, _out, err = self.volops('carry')
        self.assertEqual(3, code, err)
        for words in ('nothing here is called track', 'os is not defined'):
            self.assertIn('It does not fit one, %s, line 1: %s' % (
                MODULE, words), err)
        self.assertIn('VALUE = len(other', self.text(MODULE))

    def test_file_deleted(self):
        files = self.patches['one'][B][1]
        del files[NOTES]
        self.write('one')
        self.assertEqual([('changed', 'Change a line')], self.carried())
        self.assertIsNone(self.text(NOTES))


class OwnHunkTest(CarryTestCase):
    """The other base's patch changes one more line."""

    own = {'_5': 50, '_30': 31}

    def test_earlier_patch_changes_the_file_too(self):
        self.change(A, manager=manager(_10=11))
        self.patches['one'][B][1][MANAGER] = manager(_10=11, _20=22)
        self.write('one')
        self.carried()
        self.assertEqual(
            manager(_5=50, _10=11, _20=22, _30=31), self.text(MANAGER))
        patch = self.series.root / 'two/0002-change-a-line.patch'
        self.assertNotIn('\n+line_10', patch.read_text())

    def test_lacks_what_an_earlier_patch_changes(self):
        one, two = self.patches['one'], self.patches['two']
        one[A][1][MANAGER] = manager(_10=11)
        one[B][1][MANAGER] = manager(_10=11, _20=21)
        self.write('one')
        del two[A]
        self.write('two')
        self.commit()
        one[A][1][MANAGER] = manager(_10=12, _12=13)
        one[B][1][MANAGER] = manager(_10=12, _12=13, _20=22)
        self.write('one')
        self.carried()
        self.assertEqual(manager(_5=50, _20=22, _30=31), self.text(MANAGER))


class LackTest(CarryTestCase):
    """Each base has a patch that the other one lacks."""

    def setUp(self):
        super().setUp()
        two = self.patches['two']
        self.patches['two'] = {
            A: two[A], D: ('Only here', {'mine': 'mine\n'}), C: two[C]}
        self.write('two')
        with open(self.series.root / 'two/series', 'a') as file:
            file.write('# lacks 0003-change-a-line.patch: it has that\n')
        self.series.export('two', self.series.top / 'clone-two')
        self.commit()
        self.before = samples.snapshot(self.series.root)

    def _lacks(self):
        return series_file.SeriesFile.load(
            self.series.root / 'two/series').lacks

    def test_changed(self):
        self.change(B, manager=manager(_20=22))
        self.assertEqual([], self.carried())
        self.assertUnchanged()

    def test_another_changed(self):
        self.change(A, module='VALUE = 2\n')
        self.assertEqual([('changed', 'Add a module')], self.carried())
        self.assertEqual(['Add a module', 'Only here',
                          'Add microversion 2.15'], self.subjects())

    def test_renamed(self):
        self.change(B, 'Change one line')
        self.carried()
        self.assertEqual(['it has that'], list(self._lacks().values()))
        self.assertRegex(list(self._lacks())[0], 'change-one-line')

    def test_deleted(self):
        self.change(B)
        self.carried()
        self.assertEqual({}, self._lacks())


class ConflictTest(CarryTestCase):
    """The other base has another value in the line that changes."""

    released = {'_5': 50, '_21': 99}
    own = {'_5': 50, '_21': 99}

    def setUp(self):
        super().setUp()
        self.change(B, manager=manager(_20=22, _21=23))
        self.outcome = self.carry()
        self.conflict, = self.outcome.conflicts

    def test_told(self):
        self.assertEqual(
            ('two', 'Change a line', MANAGER, 'both change it'),
            (self.conflict.base, self.conflict.subject, self.conflict.path,
             self.conflict.why))
        place, = self.conflict.places
        self.assertEqual(
            (21, 'line_21 = 99', 'line_21 = 21', 'line_21 = 23'),
            (place.line, place.ours[-1], place.base[-1], place.theirs[-1]))
        text = self.conflict.file.read_text()
        self.assertIn('<<<<<<< two\n', text)
        self.assertIn('>>>>>>> one, as it is\n', text)
        self.assertEqual(
            '<<<<<<< two', text.splitlines()[place.line - 1])
        self.assertEqual([], self.outcome.written)
        work = self.conflict.file.parents[2]
        self.assertEqual('Notes\n', (work / NOTES).read_text())
        self.assertEqual('VALUE = 1\n', (work / MODULE).read_text())
        # There are marks in one.
        self.assertRefused(exceptions.BadInput, ['marks', MANAGER],
                           self.carrying.go_on)
        self.assertRefused(
            exceptions.BadInput, ['--continue', '--abort'], self.carry)
        self.assertUnchanged()

    def test_edited(self):
        text = manager(_5=50, _20=22, _21=100)
        self.conflict.file.write_text(text)
        self.assertEqual([], self.carrying.go_on().conflicts)
        self.assertVerified()
        self.assertEqual(text, self.text(MANAGER))

    def test_heading_is_no_mark(self):
        text = manager(_5=50, _20=22) + '"""\nTitle\n=======\n"""\n'
        self.conflict.file.write_text(text)
        self.assertEqual([], self.carrying.go_on().conflicts)
        self.assertEqual(text, self.text(MANAGER))

    def test_file_deleted(self):
        self.conflict.file.unlink()
        self.assertEqual([], self.carrying.go_on().conflicts)
        self.assertIsNone(self.text(MANAGER))
        self.assertVerified()

    def test_made_executable(self):
        self.conflict.file.write_text(manager(_5=50, _20=22))
        self.conflict.file.chmod(0o755)
        self.carrying.go_on()
        self.assertIn('new mode 100755', (
            self.series.root / 'two/0002-change-a-line.patch').read_text())

    def test_abort(self):
        self.carrying.abort()
        self.assertFalse((self.series.state.path / 'carry').exists())
        self.assertUnchanged()

    def test_command(self):
        self.carrying.abort()
        code, out, err = self.volops('carry')
        self.assertEqual(3, code, err)
        self.assertIn('both change it', out)
        self.assertRegex(err, re.escape(
            '%s, line 21:\n  two has:\n  | line_20 = 21\n  | line_21 = 99\n'
            % MANAGER))
        self.assertIn('--continue', err)
        self.conflict.file.write_text(manager(_5=50, _20=22))
        code, out, err = self.volops('carry', '--continue')
        self.assertEqual(0, code, err)
        self.assertIn('wrote two/0002-change-a-line.patch\n', err)
        self.assertIn('changed', out)


class MissingFileTest(CarryTestCase):
    """The other base's patch has not the file."""

    def setUp(self):
        super().setUp()
        del self.patches['two'][B][1][NOTES]
        self.write('two')
        self.commit()
        self.before = samples.snapshot(self.series.root)
        self.change(B, notes='More notes\n')
        self.outcome = self.carry()
        self.conflict, = self.outcome.conflicts

    def test_told(self):
        self.assertEqual(
            (NOTES, 'one side changes it, the other deletes it', []),
            (self.conflict.path, self.conflict.why, self.conflict.places))
        self.assertFalse(self.conflict.file.exists())
        # It is left out.
        self.assertEqual([], self.carrying.go_on().changed)
        self.assertUnchanged()

    def test_kept(self):
        self.conflict.file.write_text('Notes of two\n')
        self.assertEqual([('two', 'changed', 'Change a line')],
                         self.carrying.go_on().changed)
        self.assertEqual('Notes of two\n', self.text(NOTES))


class TwoConflictsTest(CarryTestCase):
    """A third base has one, too."""

    released = own = ConflictTest.released

    def setUp(self):
        super().setUp()
        self.series.add('three', '3.0.0', nova__compute__manager_py=manager(
            **self.released))
        self.patches['three'] = {
            key: self.patches['two'][key] for key in (A, B)}
        self.write('three')
        self.commit()
        self.before = samples.snapshot(self.series.root)
        self.change(B, manager=manager(_20=22, _21=23))
        self.outcome = self.carry(to=['two', 'three'])
        self.conflict, = self.outcome.conflicts

    def test_one_after_the_other(self):
        self.assertEqual('three', self.conflict.base)
        place, = self.conflict.places
        self.assertEqual(['two'], list(self.conflict.elsewhere))
        self.assertIn('line_20 = 21', place.hunk(
            self.conflict.elsewhere['two']))
        self.conflict.file.write_text(manager(_5=50, _20=22))
        second, = self.carrying.go_on().conflicts
        self.assertEqual('two', second.base)
        self.assertUnchanged()
        self.assertUnchanged('three')
        second.file.write_text(manager(_5=50, _20=24))
        self.assertEqual([], self.carrying.go_on().conflicts)
        self.assertVerified()
        self.assertEqual(manager(_5=50, _20=22), self.text(MANAGER, 'three'))
        self.assertEqual(manager(_5=50, _20=24), self.text(MANAGER))


class RefusedTest(CarryTestCase):

    def _assertRefused(self, words, *args, **kwargs):
        with self.unchanged():
            self.assertRefused(
                exceptions.BadInput, words, self.carry, *args, **kwargs)
        self.assertFalse((self.series.state.path / 'carry').exists())

    def test_nothing_changed(self):
        self._assertRefused(['no series has changed', 'patch export'])

    def test_numbers_are_no_change(self):
        one = self.patches['one']
        self.patches['one'] = {D: ('First', {'x': 'x\n'}), **one}
        self.write('one')
        self.assertEqual([('added', 'First')], self.carried())
        self.assertEqual(['First', 'Add a module'], self.subjects()[:2])

    def test_no_repository(self):
        (self.series.root / '.git').rename(self.series.top / 'git')
        self._assertRefused('no git repository')

    def test_two_changed(self):
        self.change(A, module='VALUE = 2\n')
        self.patches['two'][A] = ('Add a module', {MODULE: 'VALUE = 3\n'})
        self.write('two')
        self._assertRefused(['one, two', '--from'])

    def test_names(self):
        self.change(A, module='VALUE = 2\n')
        for words, *names in (
                ("no base 'x'", 'x'), ("no base 'x'", None, ['x']),
                ('itself', None, ['one']),
                ('series of two has not changed', 'two')):
            self._assertRefused(words, *names)

    def test_not_exported(self):
        """Somebody edited a patch, which export writes."""
        self.edit('one/0001-add-a-module.patch', 'VALUE = 1', 'VALUE = 2')
        self._assertRefused(['base.conf', 'patch export one'])

    def test_other_release(self):
        self.change(A, module='VALUE = 2\n')
        conf = self.series.root / 'one/base.conf'
        text = conf.read_text()
        conf.write_text(re.sub('tree = .*', 'tree = ' + 'a' * 40, text))
        self.commit()
        conf.write_text(text)
        self.edit('one/0001-add-a-module.patch', 'VALUE', 'OTHER')
        self._assertRefused('commit that first')

    def test_nothing_under_way(self):
        carrying = carry.Carry(self.series.state, self.series.root)
        for function in carrying.go_on, carrying.abort:
            self.assertRefused(
                exceptions.BadInput, 'no change is being carried', function)
        self.assertEqual(2, self.volops('carry', '--continue')[0])
