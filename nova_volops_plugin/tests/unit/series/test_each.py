# SPDX-License-Identifier: Apache-2.0

from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import git
from nova_volops_plugin.cmd import patch_each
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import each
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import style
from nova_volops_plugin.series import tree
from nova_volops_plugin.tests.unit.series import samples

# Programs that say of each line what it holds, as the real ones would.
_FLAKE8 = '''#!/bin/sh
for path; do echo "$path" >> "$(dirname "$0")/ran"; done
grep -Ho 'line_20 = 21' "$@" | sed 's/:/:1:1: E999 changed /'
exit 1
'''
_MYPY = '''#!/bin/sh
echo mypy >> "$(dirname "$0")/ran"
echo 'nova/compute/manager.py:1:2: error: always there  [misc]'
echo 'nova/compute/manager.py:1:2: note: of no interest'
[ -f nova/compute/reimage.py ] &&
    echo 'nova/compute/reimage.py:1: error: of the module  [misc]'
exit 1
'''


class EachTest(samples.TestCase):

    def setUp(self):
        super().setUp()
        self.base = self.series.add_patched('one')
        self.path = tree.ensure(self.series.state, self.base)
        self.git = git.isolated(self.path)
        env = self.series.top / 'env'
        for name, text in (('flake8', _FLAKE8), ('mypy', _MYPY)):
            samples.write_program(env / 'bin' / name, text)
        for name in ('ensure', 'of_tools'):
            self.patch(environment, name, lambda *args, **kwargs: env)
        self.asked = []
        self.failures = {}
        self.patch(nova_tests, 'run_named', self._named)

    def _named(self, state, base, env, tree, kind, names, *args):
        head = [name for name in ('nova/compute/reimage.py',
                                  'nova/tests/unit/compute/test_reimage.py')
                if (tree / name).exists()]
        self.asked.append((kind, tuple(names), len(head)))
        failures = self.failures.get((kind, len(head)), ())
        return nova_tests.Result(1, len(failures), 0, failures)

    def _run(self, *args, **kwargs):
        return list(each.run(
            self.series.state, self.base, self.path, *args,
            **kwargs))

    def test_every_patch_by_itself(self):
        found = self._run(checks=('pep8', 'mypy'))
        self.assertEqual(
            [(number, check) for number in ('0001', '0002', '0003')
             for check in ('pep8', 'mypy')],
            [(outcome.number, outcome.check) for outcome in found])
        manager = 'nova/compute/manager.py'
        self.assertEqual(
            {('0001', 'mypy'): (
                'mypy: nova/compute/reimage.py: error: of the module  '
                '[misc]',),
             ('0002', 'pep8'): (
                 'flake8: %s: E999 changed line_20 = 21' % manager,)},
            {(outcome.number, outcome.check): outcome.problems
             for outcome in found if outcome.problems})
        self.assertEqual('compute: Change a line', found[2].subject)

    def test_nothing_is_checked_twice(self):
        self._run(checks=('pep8', 'mypy'))
        ran = (self.series.top / 'env/bin/ran').read_text().split('\n')
        # The released tree and that of each patch.
        self.assertEqual(4, ran.count('mypy'))
        self.assertEqual(2, ran.count('nova/compute/manager.py'))

    def test_the_tests_of_a_patch_run_on_its_tree(self):
        self.failures['unit', 2] = ('nova.tests.unit.A.test_b (native '
                                    'threads)',)
        found = self._run(checks=('unit',))
        self.assertEqual(
            [('unit', (), 1), ('unit', (), 1),
             ('unit', ('nova.tests.unit.compute.test_reimage',), 2)],
            self.asked)
        self.assertEqual([(), (), self.failures['unit', 2]],
                         [outcome.problems for outcome in found])

    def test_only_what_differs_from_the_next_newer_base(self):
        checks = ('unit',)
        self.assertEqual(
            ['unit'] * 3, [outcome.check for outcome in self._run(
                checks=checks, differing=True)])
        for name, version in (('newest', '3.0.0'), ('newer', '2.0.0')):
            self.series.add_patched(name, version=version)
        second = next((self.series.root / 'newer').glob('0002-*'))
        second.write_text(second.read_text().replace('= 21', '= 22'))
        self.asked.clear()
        self.assertEqual(
            [('0001', None, 'the same in newer'),
             ('0002', 'unit', '1 passed, 0 failed, 0 skipped'),
             ('0003', None, 'the same in newer')],
            [(outcome.number, outcome.check, outcome.text)
             for outcome in self._run(checks=checks, differing=True)])
        self.assertEqual(1, len(self.asked))

    def _renumber(self):
        """As if other bases had patches between those of this one."""
        for old, new in (('0003', '0083'), ('0002', '0012')):
            path = next(self.base.path.glob(old + '-*'))
            path.rename(path.with_name(new + path.name[4:]))
        (self.base.path / 'series').write_text('\n'.join(
            [path.name for path in sorted(self.base.path.glob('*.patch'))] +
            ['# lacks 0011-x.patch: the release has it\n']))

    def _numbers(self, *args):
        return [outcome.number for outcome in self._run(
            *args, checks=('mypy',))]

    def test_numbers(self):
        self._renumber()
        for asked, found in (
                ((), ['0001', '0012', '0083']), ((83, 83), ['0083']),
                ((2, 12), ['0012']), ((2,), ['0012', '0083']),
                ((1, 82), ['0001', '0012'])):
            self.assertEqual(found, self._numbers(*asked))

    def test_no_such_number(self):
        self._renumber()
        for asked, words in (
                ((11, 11), 'no patch 0011: the release has it; near it are '
                           '0001, 0012, 0083'),
                ((2, 2), 'no patch 0002; near it are 0001, 0012, 0083'),
                ((84, None), 'no patch 0084-; near it are 0012, 0083'),
                ((2, 11), 'no patch 0002-0011; near it are 0001, 0012')):
            self.assertRefused(
                exceptions.BadInput, words, self._run, *asked)

    def test_commits_that_are_not_exported(self):
        """They count where they lie between what is asked for."""
        clone = self.series.top / 'clone-one'
        head = git.isolated(clone).line('rev-parse', 'HEAD')
        git.isolated(clone).run('reset', '-q', '--hard', 'HEAD~1')
        self.series.commit(clone, {'a': 'a'}, samples.message('Mine'))
        samples.repository(clone).run('cherry-pick', head)
        self.series.commit(clone, {'b': 'b'}, samples.message('Last'))
        self.path = clone
        whole = ['0001', '0002', 'new', '0003', 'new']
        for asked, found in (
                ((), whole), ((1, 3), whole[:4]), ((2, 2), whole[1:2]),
                ((3,), whole[3:]), ((1, 2), whole[:2])):
            self.assertEqual(found, self._numbers(*asked))
        self.assertEqual(['Mine'], [
            outcome.subject for outcome in self._run(2, 3, checks=('mypy',))
            if outcome.number == each.NEW])

    def test_commit_was_dropped(self):
        self.path = self.series.top / 'clone-one'
        git.isolated(self.path).run('reset', '-q', '--hard', 'HEAD~1')
        self.assertRefused(
            exceptions.BadInput, 'no commit of 0003', self._run, 3, 3)

    def test_nothing_is_left(self):
        head = self.git.line('rev-parse', 'HEAD')
        self._run(1, 1, checks=('mypy',))
        self.assertEqual(head, self.git.line('rev-parse', 'HEAD'))
        self.assertEqual('', self.git.line('status', '--porcelain'))
        self.assertFalse((self.series.state.trees / 'one-each').exists())

    def test_a_check_that_breaks_down(self):
        program = self.series.top / 'env/bin/mypy'
        program.write_text('#!/bin/sh\necho no config >&2\nexit 2\n')
        self.assertRefused(
            exceptions.VolopsError, ['exit code 2', 'no config'], self._run,
            checks=('mypy',))


class StyleTest(samples.TestCase):

    def test_what_is_no_python_or_gone_is_not_checked(self):
        self.assertEqual(0, len(style.pep8(
            None, self.series.top, {'README.rst', 'nova/gone.py'})))


class ArgumentTest(samples.TestCase):

    def test_numbers(self):
        for text, numbers in (
                (None, (None, None)), ('0083', (83, 83)), ('83', (83, 83)),
                ('3-7', (3, 7)), ('0003-0003', (3, 3)), ('3-', (3, None))):
            self.assertEqual(numbers, patch_each._numbers(text))
        for text in ('', 'x', '-3', '7-3', '12345', '1-2-3'):
            self.assertRefused(
                exceptions.BadInput, 'is no patch', patch_each._numbers, text)
