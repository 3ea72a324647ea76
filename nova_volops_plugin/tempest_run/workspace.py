# SPDX-License-Identifier: Apache-2.0

"""Runs Tempest in its own folder and environment."""

import logging
import os
import pathlib
import re
import shutil
import subprocess

from nova_volops_plugin.bases import environment
from nova_volops_plugin import child
from nova_volops_plugin import exceptions
import tempest_plugin

LOG = logging.getLogger(__name__)

PACKAGES = ('tempest==47.0.0', 'junitxml==0.7', 'python-subunit==1.4.6')
_ENVIRONMENT = 'tempest-47.0.0'
_PLUGIN = pathlib.Path(tempest_plugin.__file__).parent
# How stestr tells that a test ended.
_ENDED = re.compile(r'\{\d+\} .* \.\.\. ')

# What Tempest finds the plugin by. The plugin is run as it is in this
# checkout, not as it was when it was installed.
_METADATA = 'Metadata-Version: 2.1\nName: nova-volops-tempest\nVersion: 0\n'
_ENTRY_POINTS = ('[tempest.test_plugins]\n'
                 'volume-ops = tempest_plugin.plugin:VolumeOpsTempestPlugin\n')


def make_environment(state):
    """Return the folder of Tempest's environment, made when missing.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :raises VolopsError: it cannot be made
    """
    return environment.of_tools(
        state, _ENVIRONMENT, extras=PACKAGES)


class Workspace:
    """A folder that Tempest runs in; made anew for each run.

    :param folder: a :class:`pathlib.Path`
    :param environment: what :func:`make_environment` returned
    """

    def __init__(self, folder, environment):
        self.folder = folder
        self.conf = folder / 'tempest.conf'
        self.output = folder / 'tempest.txt'
        self.subunit = folder / 'tempest.subunit'
        self.junit = folder / 'tempest.xml'
        self._bin = environment / 'bin'
        self._plugins = folder / 'plugins'

    def make(self):
        """Make the folder, without what an earlier run left in it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        info = self._plugins / 'nova_volops_tempest-0.dist-info'
        info.mkdir(parents=True)
        (info / 'METADATA').write_text(_METADATA)
        (info / 'entry_points.txt').write_text(_ENTRY_POINTS)
        (self._plugins / 'tempest_plugin').symlink_to(_PLUGIN)
        done = child.run(
            [self._bin / 'python', '-c',
             'import tempest.test_discover as t; print(t.__path__[0])'],
            'Tempest cannot be found:', cwd='/')
        discover = pathlib.Path(done.stdout.strip())
        (self.folder / '.stestr.conf').write_text(
            '[DEFAULT]\ntest_path=%s\ntop_dir=%s\n'
            'group_regex=([^\\.]*\\.)*\n' % (
                discover, discover.parents[1]))

    def run(self, regex, concurrency=1):
        """Run tests; :attr:`junit` and :attr:`subunit` tell what came of it.

        :param regex: of the tests' ids
        :param concurrency: how many at once
        :raises VolopsError: no test could be run
        """
        command, environ = self._command(
            'tempest', 'run', '--config-file', self.conf, '--regex', regex,
            '--concurrency', concurrency)
        LOG.info('running the tests that match %s', regex)
        with open(self.output, 'w') as output, child.running(
                command, cwd=self.folder, env=environ, text=True,
                errors='replace', stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT) as tempest:
            for line in tempest.stdout:
                output.write(line)
                if _ENDED.match(line):
                    LOG.info('%s', line.rstrip())
            tempest.wait()
        with open(self.subunit, 'wb') as file:
            self._call('stestr', 'last', '--subunit', stdout=file,
                       stderr=subprocess.DEVNULL)
        with open(self.subunit, 'rb') as file:
            # Its exit code is not 0 when a test failed.
            self._call('subunit2junitxml', '--output-to', self.junit,
                       stdin=file, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        if b'<testcase' not in self.junit.read_bytes():
            raise exceptions.VolopsError(
                'Tempest ran no test of %s (exit code %d); %s holds what it '
                'said' % (regex, tempest.returncode, self.output))

    def _call(self, command, *arguments, **kwargs):
        command, environ = self._command(command, *arguments)
        subprocess.run(command, cwd=self.folder, env=environ, **kwargs)

    def _command(self, command, *arguments):
        environ = {name: value for name, value in os.environ.items()
                   if not name.startswith('OS_')}
        environ.update(
            PATH='%s:%s' % (self._bin, environ.get('PATH', '')),
            PYTHONPATH=str(self._plugins), PYTHONDONTWRITEBYTECODE='1')
        return ([str(self._bin / command)] + [str(word) for word in arguments],
                environ)
