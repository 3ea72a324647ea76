# SPDX-License-Identifier: Apache-2.0

"""What has run on which tree, and what is run again."""

import dataclasses
import hashlib
import json
import pathlib
import shutil
import sys

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cmd import app
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder
from nova_volops_plugin.proof import catalog
from nova_volops_plugin.proof import document
from nova_volops_plugin.proof import reading
from nova_volops_plugin.proof import records
from nova_volops_plugin.proof import runner
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin import state
from nova_volops_plugin.tests.unit import command_line

BASE = nova_base.default()
DATE = '2026-11-26'
# A program with commands of its own: each keeps a result, and notes that it
# was run.
PROGRAM = '''\
import json, pathlib, sys
folder, words = pathlib.Path(sys.argv[2]), sys.argv[3:]
with open(folder / 'ran', 'a') as ran:
    ran.write(' '.join(words) + '\\n')
if words[0] == 'breaks':
    sys.exit(1)
if words[0] == 'changes':
    conf = pathlib.Path(words[1])
    conf.write_text(conf.read_text().replace(words[2], 40 * '0'))
if words[0] not in ('up', 'down'):
    (folder / 'results').mkdir(exist_ok=True)
    (folder / 'results' / 'one.json').write_text(json.dumps({
        'command': words, 'counts': {
            'passed': 7, 'failed': int(words[0] == 'fails'), 'skipped': 2},
        'seconds': 1.5, 'machine': {'date': '2026-11-26'}}))
'''


def _check(name, *words, **more):
    return catalog.Check(name, 'The ' + name, words, 1, **more)


class ProofTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        program = self.folder / 'program.py'
        program.write_text(PROGRAM)
        self.patch(runner, 'PROGRAM', (sys.executable, str(program)))
        self.state = state.StateDir(self.folder / 'state')
        self.path = self.folder / 'proof.json'

    def _run(self, *checks, base=BASE, hours=None):
        self.patch(catalog, 'CHECKS', checks)
        self.kept = records.Records(self.path)
        self.runs = catalog.runs([base])
        return [problem for _run, problem in runner.missing(
            self.state, self.kept, self.runs, hours)]

    def _ran(self):
        path = self.state.path / 'ran'
        return path.read_text().splitlines() if path.exists() else []

    def _states(self):
        kept = records.Records(self.path)
        return [kept.state(run) for run in self.runs]

    def test_what_is_current_does_not_run_again(self):
        check = _check('quick', 'passes', 'BASE')
        self.assertEqual([None], self._run(check))
        self.assertEqual([records.CURRENT], self._states())
        self.assertEqual([], self._run(check))
        self.assertEqual(['passes ' + BASE.name], self._ran())

    def _copied(self):
        """Return the base with a copy of its folder, to be changed."""
        patches = self.folder / 'patches'
        shutil.copytree(BASE.path, patches / BASE.name)
        return nova_base.Base.load(BASE.name, patches)

    def _change(self, base, path):
        """Have the last patch of a file leave it with another content."""
        patch, change = [
            (patch, change) for patch in series_patch.load(base)
            for change in patch.changes if change.path == path][-1]
        patch.path.write_bytes(patch.content.replace(
            b'..%s' % change.new.encode(), b'..' + 40 * b'a'))
        tree = hashlib.sha1(path.encode(), usedforsecurity=False).hexdigest()
        self.runs = catalog.runs([dataclasses.replace(
            base, tree=tree, topics=dict.fromkeys(base.topics, tree))])

    def test_another_tree_makes_it_old(self):
        base = self._copied()
        self._run(_check('quick', 'passes', 'BASE'), base=base)
        self._change(base, 'nova/compute/manager.py')
        self.assertEqual([records.OLD], self._states())
        self._run(_check('quick', 'passes', 'BASE'),
                  base=self.runs[0].base)
        self.assertEqual([records.CURRENT], self._states())
        self.assertEqual(2, len(self._ran()))

    def test_what_is_not_read_may_change(self):
        base = self._copied()
        checks = [_check(name, name, unread=unread) for name, unread in (
            ('cloud', reading.TESTS), ('unit', reading.FUNCTIONAL_TESTS),
            ('added', reading.DOCS), ('each', reading.NOTHING))]
        self._run(*checks, base=base)
        for path, old in (
                ('api-ref/source/parameters.yaml', 'each'),
                ('nova/tests/functional/test_cinder_fails_in_move.py',
                 'each added'),
                ('nova/tests/unit/compute/test_compute_mgr.py',
                 'each added unit'),
                ('nova/tests/fixtures/cinder.py',
                 'each added unit cloud')):
            self._change(base, path)
            self.assertEqual(
                set(old.split()),
                {run.check.name for run, state in zip(
                    self.runs, self._states()) if state == records.OLD})

    def test_a_topic_has_a_tree_of_its_own(self):
        base = self._copied()
        self._run(_check('topic', 'passes', 'TOPIC', 'BASE'), base=base)
        self.assertEqual(len(base.topics), len(self.runs))
        self._change(base, 'nova/virt/block_device.py')
        topics = series_file.SeriesFile.load(base.path / 'series').topics
        changed = [patch.name for patch in series_patch.load(base)
                   if 40 * b'a' in patch.content]
        self.assertEqual(
            {name: records.OLD if set(changed) & {
                patch for needed in topics.with_needs([name])
                for patch in topics[needed].patches} else records.CURRENT
             for name in base.topics},
            {run.topic: state
             for run, state in zip(self.runs, self._states())})
        self.assertEqual({records.OLD, records.CURRENT},
                         set(self._states()))

    def test_a_topic_does_not_run_the_tests_of_others(self):
        base = self._copied()
        name = 'test_cinder_fails_in_move'
        topics = series_file.SeriesFile.load(base.path / 'series').topics
        path = base.path / topics['shelved'].patches[0]
        path.write_bytes(path.read_bytes().replace(
            b'Upstream-Status', b'This imports %s.\n\nUpstream-Status' %
            name.encode(), 1))
        self._run(_check('topic', 'passes', 'TOPIC', own_tests=True),
                  base=base)
        self._change(base, 'nova/tests/functional/%s.py' % name)
        self.assertEqual(
            {'fixes', 'shelved'},
            {run.topic for run, state in zip(self.runs, self._states())
             if state == records.OLD})

    def test_what_failed_runs_again(self):
        check = _check('quick', 'fails', 'BASE')
        self._run(check)
        self.assertEqual([records.FAILED], self._states())
        self._run(check)
        self.assertEqual(2, len(self._ran()))

    def test_no_result(self):
        problem, = self._run(_check('quick', 'breaks', 'BASE'))
        self.assertIn('exit code 1', problem)
        self.assertEqual([records.MISSING], self._states())

    def test_the_series_changes_meanwhile(self):
        base = self._copied()
        problem, = self._run(
            _check('quick', 'changes', str(base.path / 'base.conf'),
                   base.tree), base=base)
        self.assertEqual(
            'the series changed after the proof had begun', problem)
        self.assertEqual([records.MISSING], self._states())

    def test_the_result_of_an_earlier_run_is_none(self):
        self._run(_check('quick', 'passes', 'BASE'))
        self.path.unlink()
        kept = self.folder / 'state/results/one.json'
        kept.write_text(kept.read_text().replace('passes', 'breaks'))
        problem, = self._run(_check('quick', 'breaks', 'BASE'))
        self.assertIn('exit code 1', problem)

    def test_a_cloud_is_stopped_after_a_failure(self):
        self._run(_check('cloud', 'breaks', before=('up', 'BASE'),
                         after=('down',)))
        self.assertEqual(['up ' + BASE.name, 'breaks', 'down'], self._ran())

    def test_a_cloud_that_does_not_start(self):
        problem, = self._run(_check('cloud', 'passes', before=('breaks', 'up'),
                                    after=('down',)))
        self.assertIn('"breaks up" ended with exit code 1', problem)
        self.assertEqual(['breaks up', 'down'], self._ran())

    def test_checks_share_a_cloud(self):
        cloud = {'before': ('up', 'BASE'), 'after': ('down',)}
        checks = (_check('first', 'passes', 'first', **cloud),
                  _check('alone', 'passes', 'alone'),
                  _check('second', 'passes', 'second', **cloud),
                  _check('other', 'passes', 'other', before=('up', 'other'),
                         after=('down',)))
        self._run(*checks)
        self.assertEqual(
            ['up ' + BASE.name, 'passes first', 'passes second', 'down',
             'passes alone', 'up other', 'passes other', 'down'], self._ran())

    def test_what_fails_leaves_no_cloud(self):
        cloud = {'before': ('up',), 'after': ('down',)}
        self._run(_check('first', 'breaks', **cloud),
                  _check('second', 'fails', **cloud),
                  _check('third', 'passes', **cloud))
        self.assertEqual(
            ['up', 'breaks', 'down', 'up', 'fails', 'down', 'up', 'passes',
             'down'], self._ran())

    def test_a_cloud_is_stopped_if_nobody_asks_for_more(self):
        cloud = {'before': ('up',), 'after': ('down',)}
        self.patch(catalog, 'CHECKS', (
            _check('first', 'passes', 'first', **cloud),
            _check('second', 'passes', 'second', **cloud)))
        ended = runner.missing(
            self.state, records.Records(self.path), catalog.runs([BASE]))
        next(ended)
        ended.close()
        self.assertEqual(['up', 'passes first', 'down'], self._ran())

    def test_no_cloud_for_what_is_current(self):
        check = _check('cloud', 'passes', before=('up',), after=('down',))
        self._run(check)
        self._run(check)
        self.assertEqual(['up', 'passes', 'down'], self._ran())

    def test_chain(self):
        check = _check('chain', 'passes', 'CHAIN', newest=True)
        self.patch(catalog, 'CHECKS', (check,))
        run, = catalog.runs(nova_base.load_all())
        self.assertEqual(BASE, run.base)
        self.assertEqual(BASE.name, run.words[-1])
        self.assertEqual(run.words[1:], list(run.trees))
        self.assertLess(2, len(run.words[1:]))

    def test_default_threads(self):
        self.patch(catalog, 'CHECKS', (_check('unit', 'passes', 'THREADS'),))
        bases = nova_base.load_all()
        self.assertEqual(
            {base.name: ['passes', base.modes[0]] for base in bases},
            {run.base.name: run.words for run in catalog.runs(bases)})

    def test_topics_of_the_newest_base(self):
        self.patch(catalog, 'CHECKS', (
            _check('topic', 'passes', 'TOPIC', newest=True),))
        self.assertEqual(
            [(BASE, ['passes', topic]) for topic in BASE.topics],
            [(run.base, run.words)
             for run in catalog.runs(nova_base.load_all())])

    def test_hours(self):
        long = catalog.Check('long', 'Long', ('passes', 'long'), 90)
        self._run(long, _check('quick', 'passes', 'BASE'), hours=1)
        self.assertEqual(['passes ' + BASE.name], self._ran())

    def test_records_that_are_none(self):
        self.path.write_text('{"a": 1}')
        error = self.assertRaises(
            exceptions.BadInput, records.Records, self.path)
        self.assertIn(str(self.path), str(error))

    def test_document(self):
        self._run(_check('quick', 'passes', 'BASE'),
                  _check('broken', 'breaks', 'BASE'))
        page = document.text(self.kept, self.runs)
        self.assertIn('The quick\n=========\n', page)
        self.assertIn(
            '   %s,``%s``,7,0,2,%s,``passes %s``\n' % (
                BASE, BASE.tree[:8], DATE, BASE), page)
        self.assertNotIn('The broken', page)
        self.assertIn('* ``breaks BASE``: %s\n' % BASE, page)


class CommandsTest(command_line.TestCase):

    def test_every_command_is_known(self):
        commands = app.Commands('nova_volops.commands')
        for run in catalog.runs(nova_base.load_all()):
            for words in (run.words, run.of(run.check.before),
                          run.of(run.check.after)):
                if words:
                    command, name, rest = commands.find_command(words)
                    command(None, None).get_parser(
                        name).parse_intermixed_args(rest)

    def test_status_runs_nothing(self):
        self.patch(runner, 'PROGRAM', ('false',))
        code, out, _err = self.volops(
            'proof', '--status', '--check', 'demo', '-f', 'json')
        self.assertIn(code, (0, 3))
        rows = json.loads(out)
        self.assertEqual(nova_base.names(), sorted(
            row['Base'] for row in rows))

    def test_unknown_check(self):
        code, _out, err = self.volops('proof', '--check', 'nope')
        self.assertEqual(2, code)
        self.assertIn('the checks are: demo', err)

    def test_page_is_what_the_records_say(self):
        path = records.path(patches_folder.root())
        self.assertEqual(
            document.text(records.Records(path),
                          catalog.runs(nova_base.load_all())),
            path.with_suffix('.rst').read_text())
