# SPDX-License-Identifier: Apache-2.0

import fixtures

from nova_volops_plugin.bases import git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import each
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.series import style
from nova_volops_plugin.series import tree
from nova_volops_plugin.tests.unit.series import samples

# Programs that say of each line what it holds, as the real ones would.
_FLAKE8 = '''#!/bin/sh
grep -Ho 'line_20 = 21' "$@" | sed 's/:/:1:1: E999 changed /'
exit 1
'''
_MYPY = '''#!/bin/sh
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
        (env / 'bin').mkdir(parents=True)
        for name, text in (('flake8', _FLAKE8), ('mypy', _MYPY)):
            program = env / 'bin' / name
            program.write_text(text)
            program.chmod(0o755)
        for name in ('ensure', 'of_tools'):
            self.useFixture(fixtures.MonkeyPatch(
                'nova_volops_plugin.bases.environment.' + name,
                lambda *args, **kwargs: env))
        self.asked = []
        self.failures = {}
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.series.nova_tests.run_named', self._named))

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
            [(1, 'pep8'), (1, 'mypy'), (2, 'pep8'), (2, 'mypy'),
             (3, 'pep8'), (3, 'mypy')],
            [(outcome.number, outcome.check) for outcome in found])
        manager = 'nova/compute/manager.py'
        self.assertEqual(
            {(1, 'mypy'): ('mypy: nova/compute/reimage.py: error: of the '
                           'module  [misc]',),
             (2, 'pep8'): (
                 'flake8: %s: E999 changed line_20 = 21' % manager,)},
            {(outcome.number, outcome.check): outcome.problems
             for outcome in found if outcome.problems})
        self.assertEqual('compute: Change a line', found[2].subject)

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

    def test_some_patches(self):
        self.assertEqual([2], [outcome.number for outcome in self._run(
            2, 2, checks=('mypy',))])
        self.assertEqual([2, 3], [outcome.number for outcome in self._run(
            2, checks=('mypy',))])
        for first, last in ((0, 1), (3, 2), (1, 4)):
            self.assertRefused(
                exceptions.BadInput, 'has 3; name one', self._run, first,
                last)

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
