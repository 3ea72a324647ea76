# SPDX-License-Identifier: Apache-2.0

"""The commands that the documents show, and what they answer.

A document shows commands in console blocks only: ``$`` begins one, ``>``
goes on with it, the rest is what it answers, in which ``...`` stands for any
lines. A block that tests do not run follows a comment ``.. not run: REASON``.
"""

import dataclasses
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).parents[2]
# With it in the environment, tests write into the documents what is so.
WRITE = 'NOVA_VOLOPS_WRITE_TRANSCRIPTS'
_CONSOLE = '.. code-block:: console'
_NOT_RUN = '.. not run: '
UUID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
_CHANGING = (
    (re.compile(r'127\.0\.0\.1:\d+'), '127.0.0.1:PORT'),
    (re.compile(r'\d{4}-\d\d-\d\d[T ][\d:.]+'), 'TIME'),
)
_ANY = '...'
_MARK = 'status of the last command:'


@dataclasses.dataclass
class Command:
    """A command of a block.

    :param line: where it is in the document, from 0 on
    :param text: what a shell is given
    :param answer: the lines that the document shows after it
    """

    line: int
    text: str
    answer: list


@dataclasses.dataclass
class Block:
    """A console block.

    :param line: where its first line is in the document, from 0 on
    :param lines: without their indent
    :param not_run: why tests do not run it, None if they do
    """

    line: int
    lines: list
    not_run: str | None

    def commands(self):
        """Return its list of :class:`Command`."""
        found = []
        for number, line in enumerate(self.lines, self.line):
            if line.startswith('$ '):
                found.append(Command(number, line[2:], []))
            elif (line + ' ').startswith('> ') and not found[-1].answer:
                found[-1].text += '\n' + line[2:]
            else:
                found[-1].answer.append(line)
        for command in found:
            while command.answer and not command.answer[-1]:
                command.answer.pop()
        return found


def paths():
    """Return the documents, a sorted list of pathlib.Path."""
    return sorted([
        TOP / 'README.rst', TOP / 'nova-patches/README.rst',
        *(TOP / 'doc/source').rglob('*.rst')])


def blocks(text):
    """Return the list of a document's :class:`Block`."""
    found = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.strip() != _CONSOLE:
            continue
        before = next((each for each in reversed(lines[:number])
                       if each.strip()), '').strip()
        inside = _indented(lines, number + 1)
        while inside and not lines[inside[0]]:
            inside.pop(0)
        indent = len(lines[inside[0]]) - len(lines[inside[0]].lstrip())
        found.append(Block(
            inside[0], [lines[each][indent:] for each in inside],
            before.removeprefix(_NOT_RUN)
            if before.startswith(_NOT_RUN) else None))
    return found


def literals(text):
    """Yield the lines of everything literal but console blocks."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.strip() == _CONSOLE or line.startswith('.. note::'):
            continue
        if line.endswith('::') or line.strip().startswith('.. code-block::'):
            for each in _indented(lines, number + 1):
                if lines[each]:
                    yield lines[each].strip()


def _indented(lines, start):
    found = []
    for number in range(start, len(lines)):
        if lines[number] and not lines[number].startswith(' '):
            break
        found.append(number)
    while found and not lines[found[-1]]:
        found.pop()
    return found


class Shell:
    """A bash that runs commands as somebody types them.

    :param environ: its environment variables
    :param folder: where it starts
    """

    def __init__(self, environ, folder):
        self._process = subprocess.Popen(
            ['bash', '--norc', '--noprofile'], env=environ, cwd=folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        # The next command finds the status as the last one left it.
        # Documents do not show what a command says while it works.
        self._write('nova-volops() { command nova-volops --quiet "$@"; }')
        self._write('_end() { local status=$?; '
                    'echo; echo "%s $status"; return $status; }' % _MARK)

    def _write(self, text):
        self._process.stdin.write(text + '\n')
        self._process.stdin.flush()

    def run(self, text):
        """Return the exit status and the lines of a command's output."""
        self._write('{\n%s\n} </dev/null\n_end' % text)
        lines = []
        for line in self._process.stdout:
            if line.startswith(_MARK):
                # The mark is on a line of its own, whatever came before.
                while lines and not lines[-1]:
                    lines.pop()
                return int(line.split()[-1]), lines
            lines.append(line.rstrip())
        raise EOFError('the shell ended while it ran %r' % text)

    def close(self):
        """End the shell."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(30)


class Names:
    """Puts names in the place of what differs from run to run."""

    def __init__(self):
        self._known = {}

    def put(self, lines):
        """Return lines in which each UUID is the number it came as."""
        text = UUID.sub(self._name, '\n'.join(lines))
        for pattern, name in _CHANGING:
            text = pattern.sub(name, text)
        return text.splitlines()

    def _name(self, match):
        return 'UUID-%d' % self._known.setdefault(match[0], len(self._known))


def agree(shown, seen):
    """Whether an answer is what a document shows.

    :param shown: lines, each ``...`` of which stands for any lines, or for the
        rest of a line
    :param seen: lines
    """
    pattern = ''.join(
        r'(?:.*\n)*?' if line.strip() == _ANY else
        re.escape(line).replace(re.escape(_ANY), '.*') + '\n'
        for line in shown)
    return re.fullmatch(pattern, ''.join(line + '\n' for line in seen)) \
        is not None
