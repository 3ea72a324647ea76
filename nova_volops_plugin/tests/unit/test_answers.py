# SPDX-License-Identifier: Apache-2.0

"""What every command answers to wrong input, before it starts anything."""

import ast
import importlib.metadata

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin.lab.faults import names as fault_names
from nova_volops_plugin.lab.rolling import names as story_names
from nova_volops_plugin.series import nova_tests
from nova_volops_plugin.tests.unit import command_line

INSIDE = variables.INSIDE / 'inside_nova'
NEWEST = nova_base.default().name
NO_BASE = "there is no base 'x'"
NUMBER = 'must be a whole number of'
DOWN = 'cloud is not up'

# Exit code, a part of the message, the command.
WRONG = [(2, message, command.split()) for message, command in (
    (NO_BASE, 'patch list x'),
    (NO_BASE, 'patch fetch x'),
    (NO_BASE, 'patch apply x'),
    (NO_BASE, 'patch revert x'),
    (NO_BASE, 'patch verify x'),
    (NO_BASE, 'patch status x'),
    (NO_BASE, 'patch export x'),
    (NO_BASE, 'patch env x'),
    (NO_BASE, 'patch compare x'),
    ('holds no base', 'patch lint --patches /proc/self/task'),
    (NO_BASE, 'patch test x'),
    (NUMBER, 'patch test %s --concurrency 0' % NEWEST),
    (NUMBER, 'patch test %s --share -1' % NEWEST),
    ('no regular expression', 'patch test %s --concurrency 1 (' % NEWEST),
    (NUMBER, 'patch compare %s --concurrency x' % NEWEST),
    ("'y' is no patch", 'patch check %s --check pep8 y' % NEWEST),
    ('holds no Nova', 'patch check %s --tree /nowhere 1' % NEWEST),
    ('--release', 'patch port x --from %s' % NEWEST),
    ('', 'patch branches --tree /nowhere'),
    (NO_BASE, 'patch carry --from x'),
    ("no profile 'x'", 'cloud up --profile x'),
    (NUMBER, 'cloud up --hosts 0'),
    (NUMBER, 'cloud up --released-hosts -1'),
    ("no profile 'x'", 'cloud down --profile x'),
    ("no profile 'x'", 'cloud status --profile x'),
    ("no profile 'x'", 'cloud env --profile x'),
    ("no log of 'x'", 'cloud logs x'),
    (NUMBER, 'cloud logs --lines -3'),
    ("no profile 'x'", 'cloud console --profile x server'),
    ('needs nothing installed', 'cloud install --profile embedded'),
    ("no scenario 'x'", 'demo x'),
    ("no profile 'x'", 'demo --profile x'),
    ("no topic 'x'", 'demo --only x'),
    ("no topic 'x'", 'cloud up --only fixes,x'),
    ('leave out --only or', 'demo --only fixes --unpatched'),
    ('leave out --only, or', 'cloud up --profile real --only fixes'),
    ("no topic 'x'", 'tempest-conf %s --only x' % NEWEST),
    ('do not run', 'tempest-run --profile embedded'),
    ('no regular expression', 'tempest-run --regex ('),
    (NUMBER, 'tempest-run --concurrency 0'),
    (NO_BASE, 'tempest-conf x'),
    ("invalid choice: 'x'", 'lab faults --flow x'),
    ("invalid choice: 'x'", 'lab faults --fault x'),
    (NUMBER, 'lab faults --sample 0'),
    (NUMBER, 'lab faults histories --batches 0'),
    ('must be a number above 0', 'lab faults histories --minutes -1'),
    ("no benchmark 'x'", 'lab bench x'),
    (NUMBER, 'lab bench --repeat 0'),
    ('must be a number above 0', 'lab bench --most nan'),
    (NUMBER, 'lab bad-input --number -5'),
    (NUMBER, 'lab databases --rows -1'),
    (NO_BASE, 'lab databases --base x'),
    (NO_BASE, 'lab rolling --older x'),
    (NO_BASE, 'lab rolling --chain x'),
    ('two bases or more', 'lab rolling --chain %s' % NEWEST),
    ("no story 'x'", 'lab rolling --story x'),
    ("no story 'move_read_only'",
     'lab rolling --newer compute --story move_read_only'),
    ("no check 'x'", 'proof --check x'),
    (NO_BASE, 'proof --base x'),
    ('must be a number above 0', 'proof --hours 0'),
    ('Commands:', ''),
    ('nova-volops patch list', 'patch'),
    ('nova-volops cloud up', 'cloud'),
    ('nova-volops lab rolling', 'lab'),
    (NUMBER, 'faults --sample 0'),
)] + [(3, DOWN, command.split()) for command in (
    'cloud env', 'cloud console x', 'cloud env --profile real',
    'cloud console --profile real x', 'tempest-run')] + [
        (3, '', ['cloud', 'status']),
        (3, '', ['cloud', 'status', '--profile', 'real'])]


class AnswersTest(command_line.TestCase):

    def setUp(self):
        super().setUp()
        for what in ('bases.environment._make', 'bases.sdist.ensure',
                     'child.running', 'cloud.real.packages.install'):
            self.useFixture(fixtures.MonkeyPatch(
                'nova_volops_plugin.' + what, self._started(what)))

    def _started(self, what):
        def fail(*args, **kwargs):
            raise AssertionError('%s was called for %s' % (what, self.words))
        return fail

    def volops(self, *words):
        self.words = words
        return super().volops(*words)

    def test_wrong_input(self):
        for code, message, words in WRONG:
            found, out, err = self.volops(*words)
            self.assertEqual(code, found, (words, err))
            self.assertIn(message, err, words)
            self.assertNotIn('Errno', err, words)
            self.assertNotIn('Traceback', err, words)
            if words[1:2] != ['status']:
                self.assertEqual('', out, words)

    def test_every_command_is_here(self):
        given = [' '.join(words) + ' ' for _code, _message, words in WRONG]
        names = [entry.name.replace('_', ' ') + ' '
                 for entry in importlib.metadata.entry_points(
                     group='nova_volops.commands')]
        for name in names:
            # An old name of a command of the lab is the same command.
            shown = 'lab ' + name if 'lab ' + name in names else name
            self.assertTrue(any(
                words.startswith(shown) for words in given), name)

    def test_old_names_are_not_listed(self):
        listed = self.volops()[2]
        self.assertIn('  nova-volops lab faults histories\n', listed)
        self.assertNotIn('nova-volops faults', listed)

    def test_state_folder_that_cannot_be(self):
        for words in (('patch', 'fetch', NEWEST), ('cloud', 'status')):
            code, _out, err = self.volops('--state-dir', '/proc/x', *words)
            self.assertEqual(2, code)
            self.assertIn('the state folder /proc/x/', err)
            self.assertIn('--state-dir', err)
            self.assertNotIn('Errno', err)

    def test_errno_is_told_in_words(self):
        self.patch(nova_base, 'load_all', self._no_space)
        code, _out, err = self.volops('patch', 'list')
        self.assertEqual((1, '/x: No space left on device\n'), (code, err))

    @staticmethod
    def _no_space(*_args):
        raise OSError(28, 'No space left on device', '/x')

    def test_client_without_the_tool(self):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.cmd.app.Commands.find_command',
            self._not_installed))
        code, out, err = self.volops('patch', 'verify')
        self.assertEqual((1, ''), (code, out))
        self.assertIn('pyflakes is not installed', err)
        self.assertIn('pip install "nova-volops[tool]"', err)

    @staticmethod
    def _not_installed(*_args):
        raise ModuleNotFoundError("No module named 'pyflakes'",
                                  name='pyflakes')

    def test_options_between_words(self):
        """An option may stand before a word that may be left out."""
        asked = []
        self.patch(
            nova_tests, 'run', lambda *args, **kwargs:
            asked.append(kwargs) or nova_tests.Result(passed=1))
        self.volops('patch', 'test', NEWEST, '--concurrency', '3', 'regex')
        self.assertEqual((3, 'regex'), (
            asked[0]['concurrency'], asked[0]['regex']))


class NamesTest(testtools.TestCase):
    """What is known before Nova is started is what is there."""

    @staticmethod
    def _module(name):
        return ast.parse((INSIDE / name).read_text())

    def _tuple(self, module, name):
        return [each.id for node in module.body
                if isinstance(node, ast.Assign) and node.targets[0].id == name
                for each in node.value.elts]

    def test_flows(self):
        module = self._module('fault_matrix/flows.py')
        named = {
            node.name: each.value.value
            for node in module.body if isinstance(node, ast.ClassDef)
            for each in node.body if isinstance(each, ast.Assign) and
            each.targets[0].id == 'NAME'}
        self.assertEqual(
            [named[name] for name in self._tuple(module, 'FLOWS')],
            list(fault_names.FLOWS))

    def test_stories(self):
        for module, name in (('stories', 'CONTROLLERS_FIRST'),
                             ('stories', 'COMPUTES_FIRST'),
                             ('both_patched', 'SERIES_ON_BOTH')):
            self.assertEqual(
                self._tuple(self._module('mixed_nova/%s.py' % module), name),
                list(getattr(story_names, name)))
