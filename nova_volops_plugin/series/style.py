# SPDX-License-Identifier: Apache-2.0

"""Runs Nova's style and type checks on a tree.

flake8, with hacking and Nova's own checks, belongs to the environment of a
base. mypy is the same for all bases, so that a release of years ago has
findings of its own. The autopep8 of Nova's job is not run: it takes minutes
for each of Nova's large files.
"""

import collections
import re

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

REQUIREMENTS = (
    'ast_serialize==0.13.1',
    'librt==0.16.0',
    'mypy==2.4.1',
    'mypy_extensions==1.2.0',
    'pathspec==1.1.1',
    'types-PyYAML==6.0.12.20261113',
    'types-decorator==5.2.0.20260712',
    'types-paramiko==5.1.0.20261030',
    'types-python-dateutil==2.9.0.20261116',
    'types-setuptools==84.2.0.20261104',
    'typing_extensions==4.16.0',
)
# Where in a file something was found says nothing about what was.
_FOUND = re.compile(
    r'^(?P<path>[^:\n]+):\d+(?::\d+)?: (?P<text>(?:error: )?.+)$',
    re.MULTILINE)


def pep8(env, tree, paths):
    """Return what flake8 finds.

    :param env: the base's environment, a :class:`pathlib.Path`
    :param tree: the Nova tree
    :param paths: the files to check, relative to the tree
    :returns: a :class:`collections.Counter` of str
    :raises VolopsError: flake8 broke down
    """
    paths = sorted(path for path in paths
                   if path.endswith('.py') and (tree / path).is_file())
    if not paths:
        return collections.Counter()
    text = _run([env / 'bin/flake8', *paths], tree)
    return collections.Counter(_findings(text, 'flake8'))


def mypy(tools, tree, cache):
    """Return what mypy finds in the files that Nova has it check.

    :param tools: the environment of REQUIREMENTS
    :param tree: the Nova tree
    :param cache: the folder where mypy keeps what it knows
    :returns: as :func:`pep8`
    :raises VolopsError: mypy broke down
    """
    listed = tree / 'mypy-files.txt'
    paths = [line for line in listed.read_text().split('\n')
             if line and not line.startswith('#')] if listed.is_file() else []
    text = _run([tools / 'bin/mypy', '--cache-dir', cache,
                 '--no-color-output', *paths], tree)
    return collections.Counter(
        each for each in _findings(text, 'mypy') if ': error: ' in each)


def _findings(text, program):
    return ['%s: %s: %s' % (program, match['path'], match['text'])
            for match in _FOUND.finditer(text)]


def _run(command, tree):
    done = child.run(command, cwd=tree)
    if done.returncode > 1:
        raise exceptions.VolopsError(
            '%s ended with exit code %d: %s' % (
                command[0], done.returncode,
                ' '.join((done.stderr or done.stdout).split())[-500:]))
    return done.stdout
