# SPDX-License-Identifier: Apache-2.0

"""Installs packages into a virtual environment, on all processors."""

import subprocess

from nova_volops_plugin import child


def pip_install(path):
    """Return the beginning of a command that installs packages.

    They are left uncompiled: see :func:`compile_packages`.

    :param path: the environment's :class:`pathlib.Path`
    :returns: a list; options and requirements follow
    """
    return [path / 'bin/python', '-m', 'pip', '--disable-pip-version-check',
            '--no-input', 'install', '--quiet', '--no-compile']


def compile_packages(path):
    """Compile what is installed, as pip does on one processor alone.

    What does not compile is left as it is: some packages hold files of other
    versions of Python, and pip does not mind them either.

    :param path: the environment's :class:`pathlib.Path`
    """
    with child.running(
            [str(path / 'bin/python'), '-m', 'compileall', '-q', '-j', '0',
             str(path / 'lib')],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as process:
        process.wait()


def collect_garbage_rarely(path):
    """Let Python search all its objects for garbage less often.

    Nova's unit tests import so many that full collections took a quarter of
    the time of those of nova.compute.

    :param path: the environment's :class:`pathlib.Path`
    """
    for folder in path.glob('lib/python3.*/site-packages'):
        (folder / 'nova-volops.pth').write_text(
            'import gc; gc.set_threshold(700, 10, 100)\n')
