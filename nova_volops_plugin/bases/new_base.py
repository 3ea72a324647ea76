# SPDX-License-Identifier: Apache-2.0

"""Creates the folder of a base from a source distribution."""

import logging
import pathlib
import re
import shutil
import tempfile

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import microversion
from nova_volops_plugin.bases import new_constraints
from nova_volops_plugin.bases import repository
from nova_volops_plugin.bases import sdist
from nova_volops_plugin.bases import threads
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

_PYTHON = re.compile(r'Programming Language :: Python :: (3\.\d+)\b')
# Where Nova says what it is.
_SAYS = {
    'microversion': (microversion.PATH, microversion.PATTERN),
    'service version': (
        'nova/objects/service.py', r'^SERVICE_VERSION = (\d+)'),
    'compute RPC': (
        'nova/compute/manager.py',
        r"^    target = messaging.Target\(version='([\d.]+)'\)"),
    'block device object': (
        'nova/objects/block_device.py',
        r"\A(?s:.*?)class BlockDeviceMapping\((?s:.*?)VERSION = '([\d.]+)'"),
}
# It is written as soon as the tree is known.
_UNKNOWN_TREE = 40 * '0'


def make(state, name, other, version, sha256, constraints, sdist_file=None):
    """Make a base without patches.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param name: how it shall be called
    :param other: the :class:`nova_base.Base` it is most like; it is made
        beside that and takes from it what a tree does not say
    :param version: of its source distribution
    :param sha256: of that
    :param constraints: the paths of files of constraints; the first one that
        has a package counts
    :param sdist_file: a file to take instead of downloading one
    :returns: what is to be looked at, a list of sentences
    :raises BadInput: a value makes no sense, or the file is another one
    :raises VolopsError: it cannot be downloaded
    """
    if not nova_base.NAME.fullmatch(name):
        raise exceptions.BadInput(
            '%r is no name of a base; use small letters, digits and dots' %
            name)
    target = other.path.parent / name
    if target.exists():
        raise exceptions.BadInput(
            '%s is there already; move it away to make the base anew' %
            target)
    known = {('sdist', 'version'): version, ('sdist', 'sha256'): sha256}
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        trial = pathlib.Path(folder) / name
        trial.mkdir()
        _write(trial, other, known)
        base = nova_base.Base.load(name, folder)
        LOG.info('reading nova %s and nova %s', version, other.version)
        with repository.released(
                base, sdist.ensure(state, base, sdist_file)) as git:
            said = _said(git)
            _write(trial, other, {**known, **_values(git, other, said)})
            base = nova_base.Base.load(name, folder)
            (trial / 'constraints.txt').write_text(new_constraints.make(
                base, other, constraints, [
                    _show(git, each) for each in (
                        'requirements.txt', 'test-requirements.txt')]))
        with repository.released(
                other, sdist.ensure(state, other)) as git:
            others = _said(git)
        shutil.copytree(trial, target)
    return [
        *('%s: %s, in %s %s' % (what, said[what], other.name, others[what])
          for what in said),
        'taken from %s, to be looked at: section [cloud], the installer' %
        other.name]


def _said(git):
    """Return what Nova says of itself, a dict of str."""
    said = {}
    for what, (path, pattern) in _SAYS.items():
        found = re.findall(pattern, _show(git, path), re.MULTILINE)
        if not found:
            raise exceptions.VolopsError(
                'nova does not say its %s in %s' % (what, path))
        said[what] = found[0]
    return said


def _values(git, other, said):
    """Return the options of base.conf that the tree says."""
    last, minor = (int(number.partition('.')[2]) for number in (
        other.microversions[0], said['microversion']))
    conf = files.read_conf(other.path / 'base.conf')
    values = {}
    for option, text in conf['microversions'].items():
        number = int(text.partition('.')[2])
        # What the release has already keeps its number.
        if number >= last:
            number += minor - last
        values['microversions', option] = '2.%d' % number
    pythons = _PYTHON.findall(
        _show(git, 'setup.cfg') + _show(git, 'pyproject.toml'))
    values['python', 'versions'] = ' '.join(
        [each for each in other.pythons if each in pythons] +
        [each for each in pythons if each not in other.pythons])
    values['threads', 'modes'] = ' '.join(_modes(git))
    values.update(_functional_modes(git))
    values['cloud', 'compute_api'] = _compute_api(git)
    values['sdist', 'tree'] = git.line(
        'rev-parse', repository.COMMIT + '^{tree}')
    return values


def _compute_api(git):
    module = _show(git, 'nova/wsgi/osapi_compute.py')
    if 'monkey_patch' in module:
        # It says that it wants none of eventlet.
        return 'module'
    if _show(git, 'nova/cmd/api_os_compute.py'):
        return 'server'
    return 'green'


def _modes(git):
    """Return the kinds of threads, that of nova-compute first."""
    if 'backend=' not in _show(git, 'nova/monkey_patch.py'):
        return [threads.EVENTLET]
    if "backend='threading'" in _show(git, 'nova/cmd/compute.py'):
        return [threads.NATIVE, threads.EVENTLET]
    return [threads.EVENTLET, threads.NATIVE]


def _functional_modes(git):
    """Say where the release runs its functional tests with eventlet only."""
    if len(_modes(git)) > 1 and not git.succeeds(
            'cat-file', '-e', '%s:threading_functional_test_excludes.txt' %
            repository.COMMIT):
        return {('threads', 'functional'): threads.EVENTLET}
    return {}


def _show(git, path):
    """Return the text of a file of the release, '' if there is none."""
    return git.attempt('show', '%s:%s' % (
        repository.COMMIT, path)).stdout.decode(errors='replace')


def _write(path, other, values):
    """Write base.conf as that of the other base, but for values."""
    conf = files.read_conf(other.path / 'base.conf')
    for section in 'tested', 'topics':
        conf.remove_section(section)
    conf.remove_option('threads', 'functional')
    for (section, option), value in {
            ('sdist', 'tree'): _UNKNOWN_TREE,
            ('series', 'tree'): _UNKNOWN_TREE, **values}.items():
        conf[section][option] = value
    (path / 'base.conf').write_text(files.dump_conf(conf))
    (path / 'constraints.txt').touch()
    # What the other one lacks, it will lack for the same reason, and a change
    # is of the same topic.
    (path / 'series').write_text(''.join(
        line for line in files.read_text(
            other.path / 'series').splitlines(keepends=True)
        if line.startswith(('# lacks ', '# topic '))))
