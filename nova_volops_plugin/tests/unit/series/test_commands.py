# SPDX-License-Identifier: Apache-2.0

import importlib.metadata
import json
import signal
import time

import fixtures

from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import git
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.tests.unit.series import commands
from nova_volops_plugin.tests.unit.series import samples


class CommandsTest(commands.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_patched('one')
        self.path = self.series.state.trees / 'one'

    def assertFails(self, code, words, *command):
        found, out, err = self.volops(*command)
        self.assertEqual((code, ''), (found, out))
        self.assertIn(words, err)

    def test_list(self):
        self.assertEqual(
            [{'Base': 'one', 'Nova': '1.0.0', 'Patches': 3, 'Topics': '',
              'Python': '3.11, 3.12, 3.13, 3.10', 'Microversion': '2.11',
              'Fetched': True}], self.json('list'))
        self.assertEqual(
            ('0003', 'api: Add microversion 2.11', '2.11', 'Pending'),
            tuple(self.json('list', 'one')[2][name] for name in (
                'Patch', 'Subject', 'Microversion', 'Upstream')))

    def test_list_identical(self):
        """What is around a change and where it is does not count."""
        self.series.add_patched('two')
        path = self.series.root / 'two' / '0001-add-a-module.patch'
        path.write_text(path.read_text().replace('+VALUE', '+OTHER'))
        path = next((self.series.root / 'two').glob('0002-*'))
        path.write_text(path.read_text().replace(' line_19', ' line_18'))
        self.assertEqual(['1 of 2', '2 of 2', '2 of 2'], [
            row['Identical in'] for row in self.json('list', 'one')])

    def test_fetch(self):
        self.assertEqual(
            {'base': 'one', 'nova': '1.0.0', 'tree': str(self.path)},
            self.json('fetch', 'one'))

    def test_apply_status_revert(self):
        self.assertEqual(
            (0, 'applied 3 patches of one to %s\n' % self.path, ''),
            self.volops('apply', 'one'))
        self.assertEqual(
            {'tree': str(self.path), 'kind': 'git', 'base': 'one',
             'distance': 'none', 'state': 'patched', 'topics': '',
             'applied': 3, 'patches': 3, 'clean': True},
            self.json('status'))
        self.assertFails(2, '3 of the 3 patches', 'apply', 'one')
        self.assertEqual(
            (0, 'removed the patches of one from %s\n' % self.path, ''),
            self.volops('revert', '--tree', self.path))
        self.assertEqual('released', self.json('status', 'one')['state'])

    def test_status_values(self):
        """What scripts read."""
        for column, value in (('base', 'one\n'), ('state', 'released\n')):
            self.assertEqual((0, value, ''), self.volops(
                'status', '--tree', self.path, '-f', 'value', '-c', column))

    def test_verify(self):
        self.assertEqual(
            [{'Base': 'one', 'Topics': 'all', 'Patches': 3,
              'Tree': self.base.tree, 'Result': 'as recorded'}],
            self.json('verify'))
        self.edit(
            self.base.path / '0001-add-a-module.patch', '+VALUE', '+OTHER')
        code, out, err = self.volops('verify', 'one', '-f', 'json')
        self.assertEqual((3, ''), (code, err))
        row, = json.loads(out)
        self.assertNotEqual(self.base.tree, row['Tree'])
        self.assertIn('records the tree ' + self.base.tree, row['Result'])

    def test_verify_interrupted(self):
        """No other base is waited for."""
        self.series.add_patched('two')
        began = []

        def interrupted(base, *_arguments):
            began.append(base.name)
            time.sleep(0.1)
            raise KeyboardInterrupt(signal.SIGTERM)

        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.series.verify.verify', interrupted))
        self.assertEqual(
            128 + signal.SIGTERM, self.volops('verify', '--combinations')[0])
        self.assertEqual(1, len(began))

    def test_lint(self):
        self.assertEqual([], self.json('lint'))
        self.assertEqual((0, ''), self.volops('lint', '-f', 'value')[:2])
        self.assertEqual((0, '\n0 findings in 1 base\n', ''),
                         self.volops('lint'))
        (self.base.path / '0009-x.patch').write_text('')
        code, out, err = self.volops('lint', '-f', 'json')
        self.assertEqual((3, ''), (code, err))
        self.assertEqual('one/0009-x.patch', json.loads(out)[0]['File'])
        self.series.add('two')
        (self.series.root / 'two/0009-x.patch').write_text('')
        code, out, err = self.volops('lint')
        self.assertEqual((3, '5 findings in 2 bases'),
                         (code, out.splitlines()[-1]))

    def test_lint_open(self):
        conf = self.base.path / 'base.conf'
        patch = next(self.base.path.glob('0001-*')).read_text()
        change = patch.partition('Change-Id: ')[2].split()[0]
        conf.write_text(conf.read_text() + 'behind = %s\n' % change)
        code, out, err = self.volops('lint')
        self.assertEqual((0, ''), (code, err))
        self.assertIn(' behind (open) ', out)
        self.assertEqual('0 findings, 1 open in 1 base',
                         out.splitlines()[-1])

    def test_lint_since(self):
        self.assertFails(2, "no commit 'nothing'", 'lint', '--since',
                         'nothing')

    def test_export(self):
        self.volops('apply', 'one')
        self.assertEqual(
            (0, '%s is as the tree has it\n' % self.base.path, ''),
            self.volops('export', 'one'))
        self.series.commit(
            self.path, {'nova/compute/reimage.py': 'VALUE = 2\n'},
            samples.message('Change the module'))
        self.assertEqual(
            (0, 'wrote one/0004-change-the-module.patch\n'
                'wrote one/base.conf\nwrote one/series\n', ''),
            self.volops('export', 'one'))
        # The commit is saved now: the tree may be brought up to date.
        self.assertEqual('patched', self.json('status', 'one')['state'])
        self.assertEqual(0, self.volops('revert', 'one')[0])

    def test_export_since(self):
        clone = self.series.top / 'clone-one'
        self.assertFails(2, "no commit 'nothing'", 'export', '--tree',
                         clone, '--since', 'nothing', 'one')
        code, out, err = self.volops(
            'export', '--tree', clone, '--since', 'HEAD~3', 'one')
        self.assertEqual(
            (0, '%s is as the tree has it\n' % self.base.path, ''),
            (code, out, err))

    def test_bad_input(self):
        for words, command in (
                ('no REGEX', ('test', 'one', 'a', '--share', '2')),
                ('leave out', ('test', 'one', '--record', '--unit')),
                ('leave out',
                 ('test', 'one', '--sample', 'all', '--record')),
                ('no topic', ('test', 'one', '--only', 'a', '--unpatched')),
                ('not divided', ('test', 'one', '--only', 'a')),
                ('not divided', ('check', 'one', '--only', 'a')),
                ('not divided', ('apply', 'one', '--only', 'a')),
                ('not divided', ('branches', '--tree', self.path)),
                ('cannot be read',
                 ('fetch', 'one', '--sdist', '/nowhere'))):
            self.assertFails(2, words, *command)

    def test_folder_without_a_base(self):
        empty = self.useFixture(fixtures.TempDir()).path
        arguments = {
            'lint': (), 'port': ('one', '--from', 'two'), 'carry': (),
            'branches': ('--tree', self.path)}
        commands = [
            (name, *arguments.get(name, ('one',))) for name in (
                entry.name.removeprefix('patch_')
                for entry in importlib.metadata.entry_points(
                    group='nova_volops.commands')
                if entry.name.startswith('patch_'))]
        self.assertIn(('test', 'one'), commands)
        self.series.root = empty
        for command in [*commands, ('list',), ('verify',), ('status',)]:
            self.assertFails(2, empty + ' holds no base', *command)

    def test_recorded_when_all_pass(self):
        for result, recorded in (
                (nova_tests.Result(passed=2, failed=1), {}),
                (nova_tests.Result(passed=2),
                 {'native': self.base.tree, 'eventlet': self.base.tree})):
            self.patch(nova_tests, 'run',
                       lambda *args, result=result, **kwargs: result)
            self.volops('test', 'one', '--record')
            self.assertEqual(recorded, self.series.load('one').tested)

    def test_sample(self):
        runs = []

        def run(*args, **kwargs):
            runs.append((kwargs['mode'], kwargs['kinds']))
            return nova_tests.Result(passed=2)

        self.patch(nova_tests, 'run', run)
        first, rest = ([(mode, (kind,)) for kind in nova_tests.KINDS]
                       for mode in ('native', 'eventlet'))
        for part, wanted in (('first', first), ('rest', rest),
                             ('all', first + rest)):
            del runs[:]
            self.assertEqual(
                (0, 'test: %d passed, 0 failed, 0 skipped\n' %
                    (2 * len(wanted))),
                self.volops('test', 'one', '--sample', part)[:2])
            self.assertEqual(wanted, runs)

    def test_no_python(self):
        self.edit(self.base.path / 'base.conf', '3.11 3.12 3.13 3.10', '3.1')
        self.assertFails(77, 'one needs Python 3.1', 'env', 'one')
        code, out, err = self.volops('test', 'one')
        self.assertEqual((77, ''), (code, err))
        self.assertIn('skipped: one needs Python 3.1', out)
        self.assertEqual('test: 0 passed, 0 failed, 1 skipped',
                         out.splitlines()[-1])


class TopicsTest(commands.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_topics('one')
        self.path = self.series.state.trees / 'one'

    def _status(self, *words):
        found = self.json('status', '--tree', self.path, *words)
        return tuple(found[name] for name in (
            'state', 'topics', 'applied', 'patches'))

    def test_list(self):
        self.assertEqual(
            [('0001', 'fixes'), ('0004', 'shelved'), ('0005', 'shelved')],
            [(row['Patch'], row['Topic']) for row in self.json(
                'list', 'one', '--only', 'shelved')])
        row, = self.json('list')
        self.assertEqual('fixes, attach-mode, shelved, rebuild',
                         row['Topics'])

    def test_apply_status_revert(self):
        for command, words, status in (
                (('apply', '--only', 'shelved'),
                 'applied 3 patches of one to %s: fixes, shelved\n',
                 ('partly', 'fixes, shelved', 3, 6)),
                (('apply', '--only', 'rebuild'),
                 'applied 1 patches of one to %s: rebuild\n',
                 ('partly', 'fixes, shelved, rebuild', 4, 6)),
                (('revert', '--only', 'shelved,rebuild'),
                 'removed the patches of one from %s: shelved, rebuild\n',
                 ('partly', 'fixes', 1, 6))):
            self.assertEqual((0, words % self.path, ''), self.volops(
                *command, '--tree', self.path))
            self.assertEqual(status, self._status())
        self.assertEqual(
            ('patched', 'fixes', 1, 1), self._status('--only', 'fixes'))
        self.assertEqual(
            ('partly', 'fixes', 1, 3), self._status('--only', 'shelved'))
        for command, words in (
                (('apply', '--only', 'x,fixes'), "no topic 'x'"),
                (('apply', '--only', ''), "no topic ''"),
                (('revert', '--only', 'rebuild'), 'does not have rebuild')):
            code, out, err = self.volops(*command, '--tree', self.path)
            self.assertEqual((2, ''), (code, out))
            self.assertIn(words, err)

    def test_topics_of_tests(self):
        """The tests run on a tree that has no other topics."""
        asked = []

        def run(state, base, env, tree, kind, mode, names, *args):
            asked.append((tree.name, kind, names))
            return nova_tests.Result(passed=1)

        self.patch(nova_tests, '_stestr', run)
        self.patch(environment, 'ensure', lambda *args: None)
        code, _out, _err = self.volops(
            'test', 'one', '--only', 'shelved', '--added', '--threads',
            'native')
        self.assertEqual(
            (0, [('one-only-shelved', 'unit',
                  ['nova.tests.unit.compute.test_volume_swap'])]),
            (code, asked))
        tree = self.series.state.trees / 'one-only-shelved'
        self.assertTrue((tree / 'nova/compute/volume_swap.py').is_file())
        self.assertFalse((tree / 'nova/compute/attach_mode.py').exists())
        # Neither is the other tree changed, nor is it done twice.
        self.assertFalse((self.path / 'nova/compute/volume_swap.py').exists())
        asked.clear()
        self.volops('test', 'one', '--only', 'rebuild', '--added')
        self.assertEqual([], asked)

    def test_branches(self):
        git.isolated(self.path).run('branch', '-m', 'mine')
        for key in 'name', 'email':
            git.isolated(self.path).run('config', 'user.' + key, 'me')
        self.assertEqual(
            [('fixes', 'nova-volops/fixes', 1, 'made'),
             ('attach-mode', 'nova-volops/attach-mode', 3, 'made'),
             ('shelved', 'nova-volops/shelved', 3, 'made'),
             ('rebuild', 'nova-volops/rebuild', 1, 'made')],
            [tuple(row.values()) for row in self.json(
                'branches', '--tree', self.path)])
