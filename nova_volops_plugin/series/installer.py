# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

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
