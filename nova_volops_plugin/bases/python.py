# SPDX-License-Identifier: Apache-2.0

"""Finds a Python that a base supports."""

import glob
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import exceptions

# venv and ensurepip are a package of their own on Debian and Ubuntu.
_PROBE = 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2])'
_USR = pathlib.Path('/usr')


class NoPython(exceptions.VolopsError, unittest.SkipTest):
    """No Python fits the base: its tests can only be skipped.

    A test that raises it is skipped, and the exit code is the one that test
    drivers take for a skipped test.
    """

    exit_code = 77


def newest_base(root=None):
    """Return the newest :class:`nova_base.Base` for which there is a Python.

    :param root: the folder of the bases, by default that of the patches
    :returns: the newest one of all where there is none; whoever runs it is
        told how to get one
    """
    known = sorted(nova_base.load_all(root), reverse=True,
                   key=lambda base: base.release)
    for base in known:
        try:
            find(base)
        except NoPython:
            continue
        return base
    return known[0]


def find(base, preferred=None):
    """Return the path of the first Python that fits.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param preferred: the path of a Python to take if it fits
    :returns: (version such as ``3.11``, :class:`pathlib.Path`)
    :raises NoPython: there is none on PATH or among pyenv's and uv's; the
        message says how to get one
    """
    if preferred and _version(preferred) in base.pythons:
        return _version(preferred), pathlib.Path(preferred)
    for version in base.pythons:
        for candidate in _candidates(version):
            if _version(candidate) == version:
                return version, pathlib.Path(candidate)
    versions = ' or '.join(base.pythons)
    last = base.pythons[-1]
    raise NoPython(
        '%s needs Python %s with its venv module, and none is on PATH or '
        'among the Pythons of pyenv and uv. Get one by "uv python install '
        '%s", "pyenv install %s" or, where the distribution has it, '
        '"apt-get install python%s-venv"' %
        (base.name, versions, last, last, last))


def _candidates(version):
    name = 'python' + version
    # Distributions optimise theirs by profile, pyenv does not unless it is
    # told to: the same tests take half the time. Without headers no package
    # can be compiled for it.
    if (_USR / 'include' / name / 'Python.h').exists():
        yield _USR / 'bin' / name
    if version == '%d.%d' % sys.version_info[:2]:
        # The one below a virtual environment: environments do not nest.
        yield os.path.realpath(sys.executable)
    on_path = shutil.which(name)
    if on_path:
        yield on_path
    home = pathlib.Path.home()
    pyenv = os.environ.get('PYENV_ROOT') or home / '.pyenv'
    uv = os.environ.get('UV_PYTHON_INSTALL_DIR') or (
        pathlib.Path(os.environ.get('XDG_DATA_HOME') or home / '.local/share')
        / 'uv/python')
    for folder in ('%s/versions/%s.*' % (pyenv, version),
                   '%s/cpython-%s.*' % (uv, version)):
        yield from sorted(glob.glob('%s/bin/%s' % (folder, name)))


def _version(python):
    try:
        return subprocess.run(
            [python, '-I', '-c', _PROBE], capture_output=True, text=True,
            timeout=30, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
