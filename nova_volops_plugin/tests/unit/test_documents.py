# SPDX-License-Identifier: Apache-2.0

"""What the documents say of commands and of the series' data."""

import re

import testtools

from nova_volops_plugin.bases import base
from nova_volops_plugin.sdk import microversions
from nova_volops_plugin.tests import documents

PROGRAMS = re.compile(
    r'(\$ |sudo )?(\./run|nova-volops|openstack|nova-manage|git|pip|tox|'
    r'tempest|apt-get|stestr|python3?) ')
FEATURES = {
    '``attach_mode``, multi-create': ('attach_mode', 'multi_create'),
    'volumes of shelved servers': ('shelved',),
    'volume-backed rebuild': ('rebuild',),
}
SAMPLE = '''Text.

.. not run: needs rain

.. code-block:: console

   $ rain

.. code-block:: console

   $ cat <<END
   > one
   >
   > END
   one

   $ false
   $ echo $?
   1

Else::

    git push
'''


class TestParser(testtools.TestCase):

    def test_blocks(self):
        not_run, run = documents.blocks(SAMPLE)
        self.assertEqual('needs rain', not_run.not_run)
        self.assertIsNone(run.not_run)
        lines = SAMPLE.splitlines()
        for command in run.commands():
            self.assertEqual(
                '$ ' + command.text.splitlines()[0],
                lines[command.line].strip())
        self.assertEqual(
            [('cat <<END\none\n\nEND', ['one']), ('false', []),
             ('echo $?', ['1'])],
            [(command.text, command.answer) for command in run.commands()])
        self.assertEqual(['git push'], list(documents.literals(SAMPLE)))

    def test_agree(self):
        for shown, seen, holds in (
                (['a', '...', 'b'], ['a', 'x', 'y', 'b'], True),
                (['a', '...', 'b'], ['a', 'b'], True),
                (['...'], [], True),
                (['a'], ['a', 'b'], False),
                (['a.'], ['ab'], False),
                ([], ['a'], False)):
            self.assertEqual(holds, documents.agree(shown, seen), shown)

    def test_names(self):
        one, two = ('%08d-0000-4000-8000-000000000000' % n for n in (1, 2))
        names = documents.Names()
        self.assertEqual(
            ['UUID-0 UUID-1', 'UUID-0 at TIME'],
            names.put(['%s %s' % (one, two),
                       one + ' at 2026-01-02T03:04:05']))

    def test_shell(self):
        shell = documents.Shell({'PATH': '/usr/bin:/bin'}, '/')
        self.addCleanup(shell.close)
        self.assertEqual((0, ['2']), shell.run('printf "1\\n2" | tail -n 1'))
        self.assertEqual((3, []), shell.run('(exit 3)'))
        self.assertEqual((0, ['3']), shell.run('echo $?'))
        self.assertEqual((0, []), shell.run('here=there; cat'))
        self.assertEqual((0, ['there']), shell.run('echo $here'))


class TestCommands(testtools.TestCase):

    def test_every_command_is_in_a_console_block(self):
        found = [
            (str(path.relative_to(documents.TOP)), line)
            for path in documents.paths()
            for line in documents.literals(path.read_text())
            if PROGRAMS.match(line)]
        self.assertEqual([], found)

    def test_blocks_begin_with_a_command(self):
        for path in documents.paths():
            for block in documents.blocks(path.read_text()):
                self.assertTrue(block.lines[0].startswith('$ '),
                                '%s:%d' % (path, block.line + 1))
                self.assertNotEqual('', block.not_run)


class TestData(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.readme = (documents.TOP / 'README.rst').read_text()

    def test_table_of_microversions(self):
        header, *rows = [
            re.split(r'  +', line) for line in
            re.search(r'^=+(?:  =+){2,}\n(.*?)^=+(?:  =+){2,}$\n\n',
                      self.readme, re.DOTALL | re.MULTILINE)[1].splitlines()
            if not line.startswith('=')]
        self.assertNotEqual([], header[1:])
        self.assertEqual(set(), set(header[1:]) - set(base.names()))
        shown = {row[0]: dict(zip(header[1:], row[1:])) for row in rows}
        self.assertEqual(
            {'none'}, set(shown.pop('dangling attachments').values()))
        self.assertEqual(
            shown, {
                text: {name: microversions.of(name, features[0])
                       for name in header[1:]}
                for text, features in FEATURES.items()})
        for name in base.names():
            for features in FEATURES.values():
                self.assertEqual(1, len({
                    microversions.of(name, feature)
                    for feature in features}))

    def test_bases(self):
        named = dict(re.findall(r'``(\S+)``\s+\(nova (\S+)\)', self.readme))
        self.assertNotEqual({}, named)
        self.assertEqual(named, {
            name: base.Base.load(name).version for name in named})

    def test_numbers(self):
        for name in base.names():
            known = base.Base.load(name)
            numbers = [microversions.of(name, feature) for feature in (
                'attach_mode', 'multi_create', 'shelved', 'rebuild')]
            self.assertEqual(
                known.microversions[1],
                max(numbers + [known.microversions[0]],
                    key=microversions.number))
            self.assertEqual(
                known.microversions[0],
                microversions.before(microversions.of(name, 'attach_mode')))
