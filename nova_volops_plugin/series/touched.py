# SPDX-License-Identifier: Apache-2.0

"""Finds the tests of Nova that a series touches.

Unit tests: the modules its patches change or add, and those that Nova's
naming gives to each module they change. Functional tests take seconds each:
the modules that the patches add, and of others the classes they change; the
samples' tests when they change notification samples.
"""

import ast
import hashlib
import pathlib
import re

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import combination

_NOTIFICATIONS = (
    'nova/tests/functional/notification_sample_tests/test_instance.py')
# Where Nova itself departs from its naming.
_CONDUCTOR = 'nova/tests/unit/conductor/test_conductor.py'
_NAMED_OTHERWISE = {
    'nova/compute/manager.py': 'nova/tests/unit/compute/test_compute_mgr.py',
    'nova/conductor/api.py': _CONDUCTOR,
    'nova/conductor/manager.py': _CONDUCTOR,
    'nova/conductor/rpcapi.py': _CONDUCTOR,
}


def tests(base, tree, kind, added=False, only=None):
    """Return the dotted names of test modules and classes, sorted.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param tree: the :class:`pathlib.Path` of a tree of the state folder
    :param kind: ``unit`` or ``functional``
    :param added: only the modules that the released Nova does not have
    :param only: the names of topics, by default all
    """
    return since(tree, repository.tag(base), {
        change.path for patch in _patches(base, only)
        for change in patch.changes}, kind, added)


def since(tree, start, changed, kind, added=False):
    """Return the same for what changed in a tree since a commit.

    :param start: the commit or its name
    :param changed: the set of the changed files' names
    """
    paths = {path for name in changed for path in _tests(name)
             if path.startswith('nova/tests/%s/' % kind) and
             (tree / path).is_file() and
             not (added and _before(tree, start, path))}
    names = set()
    for path in paths:
        module = path.removesuffix('.py').replace('/', '.')
        classes = None
        if kind == 'functional' and path in changed:
            classes = _changed_classes(tree, start, path)
        names.update([module] if classes is None else
                     ['%s.%s' % (module, name) for name in classes])
    return sorted(names)


def added(base, tree, kind, only=None):
    """Return the tests that a series adds to Nova or changes.

    :param base: as in :func:`tests`, so are the others
    :returns: the dotted names of their modules, and a regular expression of
        the tests
    """
    start = repository.tag(base)
    names, patterns = [], []
    for path in sorted({
            change.path for patch in _patches(base, only)
            for change in patch.changes
            if re.fullmatch(r'nova/tests/%s/(.+/)?test_\w+\.py' % kind,
                            change.path)}):
        if not (tree / path).is_file():
            continue
        module = path.removesuffix('.py').replace('/', '.')
        before = _before(tree, start, path)
        if before is None:
            found = ['']
        else:
            found = _changed_tests(before, (tree / path).read_bytes())
        names += [module] * bool(found)
        patterns += ['^%s\\.%s' % (re.escape(module), name)
                     for name in found]
    return names, '|'.join(patterns)


def _patches(base, only):
    series = combination.Series(base)
    return series.all if only is None else series.own(only)


def sample(tree, names, seed, share):
    """Return some of the tests of modules, as regular expressions.

    :param tree: the :class:`pathlib.Path` of a Nova tree
    :param names: dotted names of modules
    :param seed: a str; with another one they are other tests
    :param share: about one in so many
    """
    found = []
    for name in names:
        source = (tree / (name.replace('.', '/') + '.py')).read_bytes()
        methods = sorted({
            node.name for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef) and
            node.name.startswith('test_')})
        found += ['^%s\\.\\w+\\.%s\\b' % (re.escape(name), method)
                  for method in methods
                  if _number(seed, name, method) % share == 0]
    return found


def _number(*words):
    digest = hashlib.sha256(' '.join(words).encode()).digest()
    return int.from_bytes(digest[:8], 'big')


def _changed_classes(tree, start, path):
    """Return the classes not as at the start, None for a new module."""
    before = _before(tree, start, path)
    if before is None:
        return None
    old = _classes(before)
    new = _classes((tree / path).read_bytes())
    return [name for name in new if new[name] != old.get(name)]


def _before(tree, start, path):
    """Return a file's contents at the start, None if there was none."""
    shown = bases_git.isolated(tree).attempt(
        'show', '%s:%s' % (start, path))
    return None if shown.returncode else shown.stdout


def _changed_tests(before, after):
    """Return regular expressions of changed tests.

    In a class that is new, or of which a helper has changed, those are all.
    """
    old, new = _tests_and_helpers(before), _tests_and_helpers(after)
    found = set()
    for class_, (tests, helpers) in new.items():
        old_tests, old_helpers = old.get(class_, ({}, None))
        if helpers != old_helpers:
            found.add(class_ + '\\.')
            old_tests = tests if old_helpers is None else old_tests
        # A class that only has the tests may be no test case itself.
        found.update('\\w+\\.' + name for name in tests
                     if tests[name] != old_tests.get(name))
    return sorted(found)


def _tests_and_helpers(source):
    """Return both of each class: a dict of tests, a list of the others."""
    found = {}
    for class_ in ast.parse(source).body:
        if isinstance(class_, ast.ClassDef):
            tests, helpers = found[class_.name] = {}, []
            for node in class_.body:
                name = getattr(node, 'name', '')
                if name.startswith('test'):
                    tests[name] = ast.dump(node)
                else:
                    helpers.append(ast.dump(node))
    return found


def _classes(source):
    return {node.name: ast.dump(node) for node in ast.parse(source).body
            if isinstance(node, ast.ClassDef)}


def _tests(name):
    path = pathlib.PurePosixPath(name)
    if name.startswith('doc/notification_samples/'):
        yield _NOTIFICATIONS
    elif path.suffix != '.py' or path.parts[0] != 'nova':
        return
    elif path.parts[1] == 'tests':
        if path.name.startswith('test_'):
            yield name
    elif name in _NAMED_OTHERWISE:
        yield _NAMED_OTHERWISE[name]
    else:
        yield str(pathlib.PurePosixPath(
            'nova/tests/unit', *path.parts[1:-1], 'test_' + path.name))
