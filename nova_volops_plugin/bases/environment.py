# SPDX-License-Identifier: Apache-2.0

"""Creates the virtual environment in which a base runs and is tested."""

import hashlib
import json
import logging
import os
import re
import shutil
import sys

from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import installer
from nova_volops_plugin.bases import lock
from nova_volops_plugin.bases import python
from nova_volops_plugin import child
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# Written last: an environment without it was never finished.
_RECIPE = 'nova-volops.json'
# Nothing else is passed on to pip: no option, no address.
_PIN = re.compile(
    r'[A-Za-z0-9][\w.-]*==[\w.+!]+( *; *[\w.]+ *[<>=!]=? *["\'][\w.]+["\'])?',
    re.ASCII)


def ensure(state, base, extras=(), preferred=None):
    """Return the folder of a base's environment, made when missing.

    It holds everything Nova and its tests import, pinned, but not Nova
    itself: that is run from a tree. An environment made of other pins is
    made anew; one that is there is used as it is, without the network.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param extras: further requirements, a sequence of str; they make an
        environment of its own
    :param preferred: as in :func:`nova_volops_plugin.bases.python.find`
    :returns: a :class:`pathlib.Path`, its ``bin`` holds ``python``
    :raises NoPython: no Python here fits the base
    :raises BadInput: constraints.txt has something else than pins
    :raises VolopsError: the requirements cannot be installed
    """
    extras = sorted(extras)
    version, interpreter = python.find(base, preferred)
    recipe = {
        'constraints': pins(base),
        'extras': extras,
        'installer': list(base.installer),
        'python': str(interpreter),
    }
    digest = hashlib.sha256('\n'.join(extras).encode()).hexdigest()[:8]
    name = '%s-py%s' % (base.name, version) + ('-' + digest) * bool(extras)
    return _made(state, name, base.name, recipe, base.constraints)


def of_tools(state, name, pins=(), extras=(), interpreter=None,
             installed_first=(), options=()):
    """Return the folder of an environment that holds programs, not Nova.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param name: what the environment is called
    :param pins: pins of the programs and all they need, a sequence of str
    :param extras: requirements whose own are left to pip
    :param interpreter: the path of the Python it is made with, by default
        the one that runs this
    :param installed_first: pins of what builds the others
    :param options: of pip for the pins
    :returns: a :class:`pathlib.Path`, its ``bin`` holds the programs
    :raises VolopsError: the requirements cannot be installed
    """
    recipe = {
        'constraints': list(pins),
        'extras': list(extras),
        'installer': list(installed_first),
        'python': interpreter or os.path.realpath(sys.executable),
        **({'options': list(options)} if options else {}),
    }
    return _made(state, name, name, recipe)


def pins(base):
    """Return the lines of a base's constraints.txt.

    :raises BadInput: a line is no pinned requirement
    """
    lines = files.read_text(base.constraints).splitlines()
    for number, line in enumerate(lines, 1):
        if line and not line.startswith('#') and not _PIN.fullmatch(line):
            raise exceptions.BadInput(
                '%s, line %d is %r; write a pinned requirement such as '
                '"oslo.db==11.2.0"' % (base.constraints, number, line[:80]))
    return lines


def _made(state, name, whose, recipe, constraints=None):
    path = state.envs / name
    with lock.hold(state.envs / ('.%s.lock' % name)):
        try:
            found = json.loads((path / _RECIPE).read_text())
        except (OSError, ValueError):
            found = None
        if found != recipe:
            _make(path, whose, recipe, constraints)
    return path


def _make(path, name, recipe, constraints):
    # A virtual environment holds its own path, so it cannot be made
    # elsewhere and renamed.
    shutil.rmtree(path, ignore_errors=True)
    LOG.info('making the environment of %s with %s', name, recipe['python'])
    _run(path, [recipe['python'], '-m', 'venv', path])
    if recipe['installer']:
        _install(path, recipe['installer'])
    wanted = [line for line in recipe['constraints']
              if line and not line.startswith('#')]
    LOG.info('installing %d pinned requirements of %s', len(wanted), name)
    # The pins are complete, so nothing is left to resolve: a pip for each
    # processor installs its share of them.
    shares = [wanted[at::os.cpu_count()] for at in range(os.cpu_count())]
    _install(path, *(['--no-deps', *recipe.get('options', ()), *share]
                     for share in shares if share))
    if recipe['extras']:
        LOG.info('installing %s', ' '.join(recipe['extras']))
        _install(path, [*(['-c', constraints] if constraints else ()),
                        *recipe['extras']])
    installer.compile_packages(path)
    installer.collect_garbage_rarely(path)
    (path / _RECIPE).write_text(json.dumps(recipe, indent=1))


def _install(path, *shares):
    pip = installer.pip_install(path)
    try:
        _run(path, *([*pip, *share] for share in shares), keep=True)
    except exceptions.VolopsError:
        # A damaged wheel in its cache is in the way of a good one.
        LOG.info("pip failed; trying it again without pip's cache")
        _run(path, *([*pip, '--no-cache-dir', *share] for share in shares))


def _run(path, *commands, keep=False):
    environ = {name: value for name, value in os.environ.items()
               if name not in ('PYTHONPATH', 'PYTHONHOME', 'VIRTUAL_ENV')}
    try:
        child.run_together(
            commands, 'the environment could not be made; see below, fix it '
            '(a network, disk space, a compiler) and try again', env=environ,
            cwd='/')
    except exceptions.VolopsError:
        if not keep:
            shutil.rmtree(path, ignore_errors=True)
        raise
