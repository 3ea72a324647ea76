# SPDX-License-Identifier: Apache-2.0

"""What is measured of the set-up: in a clone, from nothing and not."""

import pathlib
import subprocess
import types

import fixtures
import testtools

from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.bench import programs
from nova_volops_plugin.lab.bench import results
from nova_volops_plugin.lab.bench import run
from nova_volops_plugin.lab.bench import setup
from nova_volops_plugin import state

# Notes what it is asked, and what there was; 'up' leaves what a cloud does.
RUN = """#!/bin/sh
echo "$* (cache: $(ls "$XDG_CACHE_HOME" 2>/dev/null | tr '\\n' ' '); state:\
 ${NOVA_VOLOPS_STATE_DIR:-none}; clone: $(ls "$(dirname "$0")" |
 tr '\\n' ' '))" >> %s
touch "$(dirname "$0")/made"
case $* in
    *' cloud up '*) mkdir -p "$XDG_CACHE_HOME/nova-volops/clouds"; exit %d ;;
esac
"""


class SetupTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.log = self.folder / 'log'
        self.state = state.StateDir(self.folder / 'state')
        self.useFixture(fixtures.EnvironmentVariable(
            state.ENVIRONMENT_VARIABLE, str(self.folder / 'of-the-user')))

    def _run(self, repository, repeat=1):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.bench.setup.REPOSITORY', repository))
        result = results.Result('setup', 'old')
        setup.run(run.Run(types.SimpleNamespace(
            state=self.state, base=types.SimpleNamespace(name='old')),
            result, repeat=repeat))
        return result

    def _repository(self, code=0):
        repository = self.folder / 'repository'
        repository.mkdir()
        script = repository / 'run'
        script.write_text(RUN % (self.log, code))
        script.chmod(0o755)
        for words in (['init', '--quiet'], ['add', '.'], [
                '-c', 'user.name=x', '-c', 'user.email=x@localhost',
                'commit', '--quiet', '-m', 'x']):
            subprocess.run(['git', *words], cwd=repository, check=True)
        return repository

    def test_from_nothing_and_with_everything_there(self):
        result = self._run(self._repository(), repeat=2)
        cold = [
            'nova-volops patch list old '
            '(cache: ; state: none; clone: run )',
            'nova-volops cloud up --base old --hosts 2 '
            '(cache: ; state: none; clone: made run )']
        rest = '(cache: nova-volops ; state: none; clone: made run )'
        down = 'nova-volops cloud down ' + rest
        warm = ['nova-volops patch list old ' + rest,
                'nova-volops cloud up --base old --hosts 2 ' + rest]
        self.assertEqual([*cold, down, *warm, down] * 2,
                         self.log.read_text().splitlines())
        self.assertEqual(['from nothing', 'with everything there'],
                         result.variants())
        for sample in result.samples:
            self.assertEqual(
                sample.seconds, sample.extra['tool_seconds'] +
                sample.extra['cloud_seconds'])
        # Nothing stays.
        self.assertEqual([], list(self.state.bench.iterdir()))

    def test_stops_what_did_not_start(self):
        self.assertRaises(
            exceptions.VolopsError, self._run, self._repository(code=3))
        self.assertEqual('down', self.log.read_text().split(' (')[-2][-4:])
        self.assertEqual([], list(self.state.bench.iterdir()))

    def test_without_a_repository(self):
        result = self._run(self.folder)
        self.assertEqual([], result.samples)
        self.assertIn('clone of its repository', result.skipped[0])


class ProgramTest(testtools.TestCase):

    def test_failure_shows_the_end(self):
        error = self.assertRaises(
            exceptions.VolopsError, programs.do, 'sh', '-c',
            'seq 100; echo why >&2; exit 4')
        self.assertIn('sh -c', str(error))
        self.assertTrue(str(error).endswith('\n99\n100\nwhy'))
        self.assertNotIn('\n50\n', str(error))

    def test_timed(self):
        clock = {'time.monotonic': 10.0,
                 'nova_volops_plugin.child.processor_seconds': 1.0}
        for name in clock:
            self.useFixture(fixtures.MonkeyPatch(
                name, lambda name=name: clock[name]))

        def work():
            clock.update(zip(clock, (13.0, 1.5)))

        self.assertEqual((3.0, 0.5), programs.timed(work))
