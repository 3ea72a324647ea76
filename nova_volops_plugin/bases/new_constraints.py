# SPDX-License-Identifier: Apache-2.0

"""Resolves the pinned requirements of a new base."""

import json
import logging
import pathlib
import re
import tempfile

from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import installer
from nova_volops_plugin.bases import python
from nova_volops_plugin import child
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

_PIN = re.compile(r'([A-Za-z0-9._-]+)={2,3}([^\s;]+)(\s*;.*)?')


def make(base, other, paths, required):
    """Return the text of constraints.txt, which is complete.

    pip finds out what the release and its tests need, and what of the other
    base's requirements the release's own do not name, such as placement.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param other: the one whose requirements are wanted too
    :param paths: files of constraints; the first one that has a package
        counts
    :param required: texts of requirements files
    :raises NoPython: no Python here fits the base
    :raises BadInput: there is no constraint of anything that is needed
    :raises VolopsError: they contradict each other, see pip's words
    """
    published = {}
    for path in paths:
        for name, version, _marker in _pins(pathlib.Path(path)):
            published.setdefault(_normal(name), version)
    others = {_normal(name): marker for name, _version, marker
              in _pins(other.constraints)}
    if not set(published) & set(others):
        raise exceptions.BadInput(
            '%s: no constraint of a package that %s needs; name the '
            'upper-constraints.txt of the release' %
            (', '.join(map(str, paths)), other.name))
    wanted = [name for name in others if name in published]
    LOG.info('resolving the requirements of nova %s', base.version)
    resolved = _resolve(
        python.find(base)[1], base.installer, published, wanted, required)
    # The installer's own version is base.conf's.
    tools = {_normal(_PIN.match(pin)[1]) for pin in base.installer}
    return ''.join('%s==%s%s\n' % (
        name, version, others.get(_normal(name)) or '')
        for name, version in sorted(resolved, key=lambda pin: _normal(pin[0]))
        if _normal(name) not in tools)


def _pins(path):
    """Yield name, version and marker of each pin of a file."""
    for line in files.read_text(path).splitlines():
        if match := _PIN.match(line):
            yield match.groups()


def _normal(name):
    return re.sub('[-_.]+', '-', name).lower()


def _resolve(interpreter, tools, published, wanted, required):
    """Return pairs of name and version of all that is to be installed."""
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        path = pathlib.Path(folder)
        _run([interpreter, '-m', 'venv', path / 'env'])
        pip = installer.pip_install(path / 'env')
        _run([*pip, *tools])
        words = [*pip, '--dry-run', '--ignore-installed', '--report',
                 path / 'report.json', '--constraint', _file(
                     path / 'constraints.txt', [
                         '%s==%s' % pin for pin in published.items()])]
        for number, text in enumerate([*required, '\n'.join(wanted)]):
            words += ['--requirement', _file(
                path / ('requirements-%d.txt' % number), [text])]
        _run(words)
        report = json.loads((path / 'report.json').read_text())
    return [(each['metadata']['name'], each['metadata']['version'])
            for each in report['install']]


def _file(path, lines):
    path.write_text('\n'.join(lines) + '\n')
    return path


def _run(words):
    child.run(words, 'pip cannot find requirements that fit together; fix '
              'the constraints. It said:')
