# SPDX-License-Identifier: Apache-2.0

"""Every command that the documents show, run on the embedded cloud.

With NOVA_VOLOPS_WRITE_TRANSCRIPTS in the environment, what the commands
answer is written into the documents in place of what they show.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin.cloud.embedded import cloud
from nova_volops_plugin.series import tree
from nova_volops_plugin.tests import documents
from nova_volops_plugin.tests.functional.embedded import base

STARTS_ITS_CLOUD = 'nova-volops cloud up'
USES_A_CLOUD = re.compile(r'openstack( |\.connect)')
USES_A_CHECKOUT = '~/src/nova'
USES_THIS_CHECKOUT = './run '
CHANGES_PATCHES = '~/src/nova-volops'
CHANGES_TREES = 'nova-volops patch '


class TestDocuments(testtools.TestCase):
    """One test for each document with commands that are run."""

    def _run(self, path):
        text = path.read_text()
        commands = [command for block in documents.blocks(text)
                    if not block.not_run for command in block.commands()]
        words = '\n'.join(command.text for command in commands)
        self._skip_numbers_of_another_base(commands)
        self.state = base.make_state(own_trees=CHANGES_TREES in words)
        self.addCleanup(shutil.rmtree, self.state.path)
        embedded = cloud.EmbeddedCloud(self.state)
        self.addCleanup(embedded.down)
        environ = self._environ()
        if USES_A_CHECKOUT in words:
            self._make_checkout(pathlib.Path(environ['HOME']))
        if USES_A_CLOUD.search(words) and STARTS_ITS_CLOUD not in words:
            embedded.up()
            environ.update(embedded.environ())
        shell = documents.Shell(
            environ, documents.TOP if USES_THIS_CHECKOUT in words
            else environ['HOME'])
        self.addCleanup(shell.close)
        if CHANGES_PATCHES in words:
            self._copy_patches(environ, shell)
        shown, seen = documents.Names(), documents.Names()
        answers = []
        for number, command in enumerate(commands):
            status, lines = shell.run(command.text)
            answers.append(lines)
            if commands[number + 1:number + 2] and (
                    commands[number + 1].text != 'echo $?'):
                self.assertEqual(0, status, '\n'.join([command.text] + lines))
            if command.answer and documents.WRITE not in os.environ:
                told, got = shown.put(command.answer), seen.put(lines)
                if not documents.agree(told, got):
                    self.assertEqual(told, got, command.text)
        if documents.WRITE in os.environ:
            _write(path, text, commands, answers)

    def _skip_numbers_of_another_base(self, commands):
        default, newest = nova_base.default(), python.newest_base()
        shown = '\n'.join(line for command in commands
                          for line in [command.text, *command.answer])
        if newest != default and any(
                number in shown for number in default.microversions):
            self.skipTest('it shows numbers of %s, for which there is no '
                          'Python here' % default.name)

    def _environ(self):
        environ = {name: value for name, value in os.environ.items()
                   if not name.startswith(('OS_', 'TOX', 'VIRTUAL_ENV'))}
        home = self.state.path / 'home'
        home.mkdir()
        environ.update({
            'COLUMNS': '79',
            'EMAIL': 'somebody@example.org',
            'GIT_COMMITTER_NAME': 'Somebody',
            # Nobody is there to edit anything.
            'GIT_SEQUENCE_EDITOR': 'true',
            'HOME': str(home),
            'NOVA_VOLOPS_STATE_DIR': str(self.state.path),
            'PATH': '%s:%s' % (
                pathlib.Path(sys.executable).parent, os.environ['PATH']),
            # What is fetched is not fetched again.
            'XDG_CACHE_HOME': os.environ.get(
                'XDG_CACHE_HOME', str(pathlib.Path.home() / '.cache')),
        })
        return environ

    def _make_checkout(self, home):
        nova = tree.ensure(self.state, python.newest_base(), patched=False)
        (home / 'src').mkdir()
        subprocess.run(['git', 'clone', '--quiet', nova, home / 'src/nova'],
                       check=True)

    def _copy_patches(self, environ, shell):
        """Have the patch commands change a copy of the patches."""
        checkout = pathlib.Path(environ['HOME']) / 'src/nova-volops'
        patches = shutil.copytree(
            documents.TOP / 'nova-patches', checkout / 'nova-patches')
        for words in (['init', '--quiet'], ['add', '--all'],
                      ['commit', '--quiet', '--message', 'All']):
            subprocess.run(['git', '-C', checkout, *words], check=True,
                           env=environ)
        shell.run('nova-volops() { command nova-volops --quiet "$@" '
                  '--patches %s; }' % patches)


def _write(path, text, commands, answers):
    lines = text.splitlines()
    for command, answer in reversed(list(zip(commands, answers))):
        if not command.answer or '...' in command.answer:
            continue
        first = command.line + 1 + command.text.count('\n')
        indent = lines[command.line].index('$') * ' '
        lines[first:first + len(command.answer)] = [
            indent + line if line else '' for line in answer]
    path.write_text('\n'.join(lines) + '\n')


def _add_tests():
    for path in documents.paths():
        if any(not block.not_run
               for block in documents.blocks(path.read_text())):
            name = 'test_' + '_'.join(
                path.relative_to(documents.TOP).with_suffix('').parts
            ).replace('-', '_').lower()
            setattr(TestDocuments, name,
                    lambda self, path=path: self._run(path))


_add_tests()
