# SPDX-License-Identifier: Apache-2.0

"""Finds names and calls of a patch that do not match the release.

Such a use merges without a conflict: a name that only the other release
defines, or a call that fits the function as the other release has it. So does
a name that is defined elsewhere, but not where it is used.
"""

import ast
import collections
import dataclasses
import functools
import math
import pathlib
import re

from pyflakes import checker
from pyflakes import messages


@dataclasses.dataclass(frozen=True)
class _Signature:
    """What a function takes, its first argument left out if that is self."""

    names: frozenset
    least: int
    most: float
    any_keyword: bool

    @classmethod
    def of(cls, function):
        arguments = function.args
        positional = arguments.posonlyargs + arguments.args
        bound = bool(positional) and positional[0].arg in ('self', 'cls')
        count = len(positional) - bound
        return cls(
            frozenset(each.arg for each in positional + arguments.kwonlyargs),
            count - len(arguments.defaults),
            math.inf if arguments.vararg else count,
            bool(arguments.kwarg))

    def takes(self, count, keywords):
        return count <= self.most and count + len(keywords) >= self.least and (
            self.any_keyword or self.names.issuperset(keywords))


class _Module:
    """The names and the calls of a module."""

    def __init__(self, path, text):
        self._path = path
        self.functions = collections.defaultdict(list)
        self.defined = {pathlib.PurePosixPath(path).stem}
        self.used = {}
        self.calls = {}
        module = ast.parse(text)
        for node in ast.walk(module):
            self._read(node)
        self.undefined = {
            (path, message.message_args): (path, message.lineno)
            for message in checker.Checker(module, path).messages
            if isinstance(message, messages.UndefinedName)}

    def _read(self, node):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.defined.add(node.name)
        if isinstance(node, ast.FunctionDef):
            self.functions[node.name].append(_Signature.of(node))
        elif isinstance(node, ast.arg):
            self.defined.add(node.arg)
        elif isinstance(node, (ast.Attribute, ast.Name)):
            if isinstance(node.ctx, ast.Load):
                self.used.setdefault(_name(node), (self._path, node.lineno))
            else:
                self.defined.add(_name(node))
        elif isinstance(node, ast.Call):
            self._read_call(node)

    def _read_call(self, node):
        keywords = frozenset(each.arg for each in node.keywords)
        # What is behind * and ** is not known.
        if _name(node.func) and None not in keywords and not any(
                isinstance(each, ast.Starred) for each in node.args):
            self.calls.setdefault(
                (_name(node.func), len(node.args), keywords),
                (self._path, node.lineno))


# Most modules of a base are the same in each of its trees.
_module = functools.lru_cache(maxsize=2000)(_Module)


class _Code:
    """The names and the calls of a tree, but for those of its tests."""

    def __init__(self, git, revision, paths=None):
        self._functions = collections.defaultdict(list)
        self._defined = set()
        self._used = {}
        self._calls = {}
        self.undefined = {}
        for path, text in _modules(git, revision, paths):
            module = _module(path, text)
            self._defined |= module.defined
            # Of a name or call the first place is shown.
            for name, place in module.used.items():
                self._used.setdefault(name, place)
            for call, place in module.calls.items():
                self._calls.setdefault(call, place)
            self.undefined.update(module.undefined)
            for name, signatures in module.functions.items():
                self._functions[name] += signatures

    def unknown_names(self, other):
        """Return what is used and is only defined in the other tree."""
        unknown = other._defined - self._defined
        return {name: place for name, place in self._used.items()
                if name in unknown}

    def unfit_calls(self):
        """Return the calls that no function of that name takes."""
        found = {}
        for call, place in self._calls.items():
            name, count, keywords = call
            functions = self._functions[name]
            if functions and not any(
                    each.takes(count, keywords) for each in functions):
                found[call] = place
        return found


def find(git, ported, source, released):
    """Find what is used in a ported tree as if it were the other one's.

    :param git: a :class:`nova_volops_plugin.bases.git.Git` that has the three
        revisions
    :param ported: the tree to which the series was carried
    :param source: the one it was carried from
    :param released: the release that the first is made of
    :returns: a sorted list of the path, the line and what is wrong there
    """
    ported, source, released = (
        _code(git, each) for each in (ported, source, released))
    before = released.unknown_names(source)
    found = [
        (place, 'nothing here is called %s' % name)
        for name, place in ported.unknown_names(source).items()
        if name not in before]
    found += [
        (place, '%s is not defined there' % key[1])
        for key, place in ported.undefined.items()
        if key not in released.undefined]
    # Libraries have functions of the same names, and decorators add
    # arguments.
    elsewhere = source.unfit_calls() | released.unfit_calls()
    found += [
        (place, 'no %s here takes these arguments' % call[0])
        for call, place in ported.unfit_calls().items()
        if call not in elsewhere]
    return [(*place, what) for place, what in sorted(found)]


def find_new(git, after, before, source):
    """Find what changed modules use for the first time and their tree lacks.

    It looks at these modules alone, which takes a second where :func:`find`
    takes a minute.

    :param git: a :class:`nova_volops_plugin.bases.git.Git` that has the three
        revisions
    :param after: a tree to which a change of the series was carried
    :param before: the same tree before that
    :param source: the tree that it was carried from
    :returns: as :func:`find`
    """
    paths = [path for path in git.lines(
        'diff', '--name-only', '--no-renames', '-z', before, after, '--',
        'nova') if _is_module(path)]
    new, old = (_Code(git, each, paths) for each in (after, before))
    names = new._used.keys() - old._used.keys() - new._defined
    names -= set(_grep(git, before, names, r'\b(%s)\b'))
    names &= set(_grep(git, source, names, r'(def|class) (%s)\b')) | set(
        _grep(git, source, names, r'\b(%s) ='))
    found = [(*new._used[name], 'nothing here is called %s' % name)
             for name in names]
    found += [(*place, '%s is not defined there' % key[1])
              for key, place in new.undefined.items()
              if key not in old.undefined]
    return sorted(found)


def _grep(git, revision, names, pattern):
    """Return those of some names that modules of a tree have in a pattern."""
    if not names:
        return []
    # Git's expressions have no \b that holds with every library.
    text = git.attempt(
        'grep', '-h', '-I', '-w', '-F', '-f', '-', revision, '--', 'nova',
        ':!nova/tests', stdin='\n'.join(names).encode()).stdout.decode()
    return [found if isinstance(found, str) else found[-1]
            for found in re.findall(pattern % '|'.join(
                map(re.escape, names)), text)]


@functools.lru_cache(maxsize=3)
def _code(git, revision):
    return _Code(git, revision)


def _name(node):
    """Return the last part of a dotted name, None where there is no name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _is_module(path):
    return path.endswith('.py') and '/tests/' not in path


def _modules(git, revision, wanted=None):
    """Yield the path and the text of each module but the tests."""
    paths = [
        path for path in git.lines(
            'ls-tree', '-r', '-z', '--name-only', revision, 'nova')
        if _is_module(path) and (wanted is None or path in wanted)]
    for path, content in zip(paths, git.objects(
            '%s:%s' % (revision, path) for path in paths)):
        yield path, content.decode()
