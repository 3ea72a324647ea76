# SPDX-License-Identifier: Apache-2.0

import io
import json
import pathlib

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin.cmd import app
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.bench import catalog
from nova_volops_plugin.lab.bench import plot
from nova_volops_plugin.lab.bench import runner
from nova_volops_plugin.tests.unit.bench import samples

NEWEST = python.newest_base().name
OTHER = nova_base.sample()[-1]


class CommandTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.bench.reboot.run', self._measure))
        # No cloud is needed for what is measured here.
        self.measured = []

    def _measure(self, run):
        self.measured.append((run.repeat, run.most))
        run.result.samples += samples.result().samples

    def _run(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with fixtures.MonkeyPatch('sys.stdout', out), \
                fixtures.MonkeyPatch('sys.stderr', err):
            code = app.main(
                ['--state-dir', str(self.folder), 'bench', *words])
        return code, out.getvalue(), err.getvalue()

    def test_measures_and_stores(self):
        code, out, _err = self._run(
            'reboot', '--repeat', '2', '--most', '4', '-f', 'json')
        self.assertEqual((0, [(2, 4.0)]), (code, self.measured))
        self.assertEqual(['1', '2', '1', '3'],
                         [row['Cinder'] for row in json.loads(out)])
        self.assertEqual((0, out, ''),
                         self._run('--stored', '-f', 'json'))
        self.assertEqual(1, len(self.measured))
        stored, = runner.stored(
            self.folder / 'bench', python.newest_base(), catalog.BENCHMARKS)
        self.assertEqual(samples.result().samples, stored.samples)
        self.assertIn('processor', stored.machine)

    def test_another_base_is_stored_apart(self):
        self._run('reboot')
        self.assertEqual((0, '[]\n', ''), self._run(
            '--stored', '--base', OTHER, '-f', 'json'))

    def test_bad_input(self):
        for words, told in (
                (('x',), "there is no benchmark 'x' of the profile embedded; "
                         'there are: reboot, multi-create, '),
                (('--profile', 'x'), 'there is no profile')):
            code, _out, err = self._run(*words)
            self.assertEqual(2, code)
            self.assertIn(told, err)
        self.assertEqual([], self.measured)

    def test_document(self):
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.bench.plot.require', lambda: None))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.bench.plot.png',
            lambda result, benchmark: result.name.encode()))
        document = self.folder / 'document'
        self.assertEqual(
            0, self._run('reboot', '--document', str(document))[0])
        self.assertEqual(
            [NEWEST + '-reboot.png', NEWEST + '.txt'],
            sorted(path.name for path in document.iterdir()))
        text = (document / (NEWEST + '.txt')).read_text()
        self.assertIn('above the least', text)
        self.assertIn('reboot.png', text)

    def test_document_without_plots(self):
        self.useFixture(fixtures.MonkeyPatch(
            'importlib.import_module', PlotTest._fail))
        document = self.folder / 'document'
        self.assertEqual(0, self._run(
            'reboot', '--document', str(document), '--no-plots')[0])
        self.assertEqual([NEWEST + '.txt'],
                         [path.name for path in document.iterdir()])
        self.assertNotIn('png', (document / (NEWEST + '.txt')).read_text())


class PlotTest(testtools.TestCase):

    def test_without_matplotlib(self):
        self.useFixture(fixtures.MonkeyPatch(
            'importlib.import_module', self._fail))
        error = self.assertRaises(exceptions.VolopsError, plot.require)
        self.assertIn('pip install "nova-volops[bench]"', str(error))

    @staticmethod
    def _fail(name):
        raise ImportError(name)

    def test_plot(self):
        try:
            plot.require()
        except exceptions.VolopsError as error:
            self.skipTest(str(error))
        benchmark, = catalog.choose(['reboot'])
        left, right = plot.figure(samples.result(), benchmark).axes
        self.assertEqual(['seconds', 'calls to Cinder'],
                         [left.get_ylabel(), right.get_ylabel()])
        for axes in (left, right):
            self.assertEqual('volumes', axes.get_xlabel())
            self.assertEqual(['patched', 'as released'],
                             [line.get_label() for line in axes.get_lines()])
        picture = plot.png(samples.result(), benchmark)
        self.assertTrue(picture.startswith(b'\x89PNG'))
        self.assertEqual(picture, plot.png(samples.result(), benchmark))
