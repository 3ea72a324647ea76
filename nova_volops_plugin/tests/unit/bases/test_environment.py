# SPDX-License-Identifier: Apache-2.0

import argparse
import ensurepip
import os
import subprocess
import sys

import fixtures

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import environment
from nova_volops_plugin.bases import python
from nova_volops_plugin import child
from nova_volops_plugin.cmd import base_option
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.series import samples

_HERE = '%d.%d' % sys.version_info[:2]


class _TestCase(samples.TestCase):

    def setUp(self):
        super().setUp()
        for name in ('PYENV_ROOT', 'UV_PYTHON_INSTALL_DIR', 'XDG_DATA_HOME'):
            self.useFixture(fixtures.EnvironmentVariable(name))
        self.home = self.series.top / 'home'
        self.useFixture(fixtures.EnvironmentVariable('HOME', str(self.home)))
        self.useFixture(fixtures.EnvironmentVariable('PATH', '/usr/bin:/bin'))
        self.patch(python, '_USR', self.home / 'usr')

    def _base(self, versions=_HERE, **changed):
        self.series.add('one')
        conf = self.series.root / 'one/base.conf'
        text = conf.read_text().replace('3.11 3.12 3.13 3.10', versions)
        for old, new in changed.items():
            text = text.replace(old + ' = ', '%s = %s' % (old, new))
        conf.write_text(text)
        return self.series.load('one')

    def _python(self, path, version):
        """Make a stand-in that answers as a Python of a version does."""
        return samples.write_program(
            self.home / path, '#!/bin/sh\necho %s\n' % version)


class PythonTest(_TestCase):

    def test_distribution(self):
        """Its Python comes first, once packages can be compiled for it."""
        base = self._base('3.7')
        other = self._python('.pyenv/versions/3.7.1/bin/python3.7', '3.7')
        made = self._python('usr/bin/python3.7', '3.7')
        self.assertEqual(('3.7', other), python.find(base))
        headers = self.home / 'usr/include/python3.7'
        headers.mkdir(parents=True)
        (headers / 'Python.h').touch()
        self.assertEqual(('3.7', made), python.find(base))
        made.unlink()
        self.assertEqual(('3.7', other), python.find(base))

    def test_running_one(self):
        version, found = python.find(self._base())
        self.assertEqual(_HERE, version)
        self.assertEqual(os.path.realpath(sys.executable), str(found))

    def test_places(self):
        base = self._base('3.7')
        for place in ('.pyenv/versions/3.7.16/bin/python3.7',
                      '.local/share/uv/python/cpython-3.7.9-linux-x86_64-gnu/'
                      'bin/python3.7', 'bin/python3.7'):
            made = self._python(place, '3.7')
            if place.startswith('bin'):
                self.useFixture(fixtures.EnvironmentVariable(
                    'PATH', str(made.parent)))
            self.assertEqual(('3.7', made), python.find(base))
            made.unlink()

    def test_first_version_first(self):
        self._python('.pyenv/versions/3.6.1/bin/python3.6', '3.6')
        made = self._python('.pyenv/versions/3.7.1/bin/python3.7', '3.7')
        self.assertEqual(('3.7', made), python.find(self._base('3.7 3.6')))

    def test_preferred(self):
        base = self._base('3.7 3.6')
        usual = self._python('.pyenv/versions/3.7.1/bin/python3.7', '3.7')
        other = self._python('other/bin/python3', '3.6')
        self.assertEqual(('3.6', other), python.find(base, other))
        # One that does not fit, or is not there, is passed over.
        for wrong in (self._python('new/bin/python3', '3.9'),
                      self.home / 'nowhere/bin/python3'):
            self.assertEqual(('3.7', usual), python.find(base, wrong))

    def test_shim_of_none(self):
        """pyenv's shims are on PATH whether the version is chosen or not."""
        shim = self._python('bin/python3.7', '')
        shim.write_text('#!/bin/sh\necho not found >&2\nexit 127\n')
        base = self._base('3.7')
        self.useFixture(fixtures.EnvironmentVariable(
            'PATH', str(shim.parent)))
        self.assertRaises(python.NoPython, python.find, base)

    def test_none(self):
        error = self.assertRefused(
            python.NoPython,
            ['one needs Python 3.6 or 3.7', 'uv python install 3.7',
             'pyenv install 3.7'], python.find, self._base('3.6 3.7'))
        self.assertEqual(77, error.exit_code)

    def test_newest_that_runs_is_the_default(self):
        names = [known.name for known in sorted(
            nova_base.load_all(), key=lambda each: each.release)]
        for runs, default in ((names, names[-1]), (names[:2], names[1]),
                              ([], names[-1])):
            def find(base, runs=runs):
                if base.name not in runs:
                    raise python.NoPython()

            self.patch(python, 'find', find)
            parser = argparse.ArgumentParser()
            base_option.add(parser)
            self.assertEqual(default, parser.parse_args([]).base.name)


class EnsureTest(_TestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(samples.NoIndex())
        self.base = self._base()
        # What venv itself brings: nothing is installed over it.
        self._pins('pip==%s' % ensurepip.version())

    def _pins(self, installer):
        self.edit('one/base.conf', 'pip==24.0', installer)

    def _ensure(self, extras=()):
        return environment.ensure(
            self.series.state, self.series.load('one'), extras)

    def test_made_once_and_anew_for_other_pins(self):
        path = self.series.state.envs / ('one-py' + _HERE)
        # A run that was killed has left this.
        path.mkdir()
        (path / 'leftover').write_text('')
        self.assertEqual(path, self._ensure())
        self.assertTrue(os.access(path / 'bin/python', os.X_OK))
        self.assertFalse((path / 'leftover').exists())
        (path / 'leftover').write_text('')
        self.assertEqual(path, self._ensure())
        self.assertTrue((path / 'leftover').exists())
        self.base.constraints.write_text('# other\n')
        self.assertEqual(path, self._ensure())
        self.assertFalse((path / 'leftover').exists())

    def test_garbage_is_collected_rarely(self):
        printed = subprocess.check_output(
            [self._ensure() / 'bin/python', '-c',
             'import gc; print(*gc.get_threshold())'], text=True)
        self.assertEqual('700 10 100\n', printed)

    def test_pin_that_cannot_be_installed(self):
        self.base.constraints.write_text('nosuchthing==1.0\n')
        self.assertRefused(
            exceptions.VolopsError, ['nosuchthing==1.0', 'try again'],
            self._ensure)
        self.assertEqual(
            [], [path for path in self.series.state.envs.iterdir()
                 if path.is_dir()])

    def test_damaged_cache_of_pip(self):
        run, refused = child.run_together, []

        def refuse_cache(commands, *args, **kwargs):
            for command in commands:
                if 'install' in command and '--no-cache-dir' not in command:
                    refused.append(command)
                    raise exceptions.VolopsError('invalid wheel')
            return run(commands, *args, **kwargs)

        self.patch(child, 'run_together', refuse_cache)
        path = self._ensure()
        self.assertEqual(1, len(refused))
        self.assertTrue(os.access(path / 'bin/python', os.X_OK))

    def test_extras_have_their_own(self):
        path = self._ensure(['pip'])
        self.assertRegex(path.name, '^one-py%s-[0-9a-f]{8}$' % _HERE)

    def test_scripts_outlive_a_link_to_the_folder(self):
        envs = self.series.state.envs
        kept = self.series.top / 'kept'
        envs.rename(kept)
        envs.symlink_to(kept)
        path = self._ensure()
        envs.unlink()
        subprocess.run([path / 'bin/pip', '--version'], check=True,
                       stdout=subprocess.DEVNULL)
