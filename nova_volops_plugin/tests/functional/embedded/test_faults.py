# SPDX-License-Identifier: Apache-2.0

import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import time

import ddt
import fixtures
import psutil
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.faults import matrix
from nova_volops_plugin.lab.faults import table
from nova_volops_plugin import result
from nova_volops_plugin import state


# Ways that differ: with a guest and without, begun by a request, by a service
# and by a command, and one whose services are stopped.
SAMPLED = ('attach-ro', 'swap-offloaded', 'live-migrate-rollback',
           'manage-cleanup')
SAMPLE = 14
NEWEST = python.newest_base()


@ddt.ddt
class FaultsTest(testtools.TestCase):

    def _run(self, *arguments, base=NEWEST, results=None):
        log = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'nova.log'
        return list(matrix.run(state.StateDir(), base, arguments, log,
                               results=results))

    def test_outcomes(self):
        # What an earlier run told of one case is not run again: it is not so.
        results = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'results'
        tree = NEWEST.tree
        matrix.Results(results, tree).add(json.dumps({
            'flow': 'detach-offloaded', 'call': 'get(old)', 'fault': '500',
            'outcome': 'error', 'told': True, 'broken': [], 'seconds': 0.0}))
        cases = self._run(
            '--flow', 'detach-offloaded', '--fault', '500', '--fault', 'lost',
            results=results)
        self.assertEqual(
            {('get(old)', '500'): 'error',
             ('attachment_delete(old)', '500'): 'undone',
             ('attachment_delete(old)', 'lost'): 'done'},
            {(case.call, case.fault): case.outcome for case in cases})
        self.assertEqual({()}, {case.broken for case in cases})
        kept = matrix.Results(results, tree).lines
        self.assertEqual(cases, [matrix.read(line, NEWEST.name)
                                 for line in kept])

    def test_stop_before_a_write(self):
        # The new volume is attached in Cinder before Nova saves that.
        case, = self._run('--flow', 'swap-offloaded', '--call',
                          'sql-update(instances)')
        self.assertEqual(('crash', 'other', result.PASSED, ()),
                         (case.fault, case.outcome, case.result, case.broken))

    def test_what_is_left_is_taken_up(self):
        cases = [case for flow, call, fault in (
            ('swap-offloaded', 'attachment_create(new)', 'crash-after'),
            ('rebuild', 'attachment_delete(root)', 'crash'),
            ('migrate-shelved', 'get(new)#2', '500'),
            ('resize', 'attachment_delete(data)', '500'),
        ) for case in self._run('--flow', flow, '--call', call,
                                '--fault', fault)]
        # It was not done, and nothing of it is broken in the end.
        self.assertEqual(
            [('other', ()), ('error', ()), ('other', ()), ('error', ())],
            [(case.outcome, case.broken) for case in cases])

    def test_lists_that_lie_and_a_host_that_is_not_heard(self):
        cases = {(case.call, case.fault): case for case in self._run(
            '--flow', 'manage-cleanup', '--fault', 'lagging',
            '--fault', 'unheard')}
        self.assertEqual({()}, {case.broken for case in cases.values()})
        # Which attachment a lagging page lacks depends on their UUIDs, and
        # with it whether this run repairs it or the next one does.
        pages = {key for key in cases if key[0].startswith(
            'attachment_get_page()')}
        self.assertEqual(3, len(pages))
        self.assertLessEqual({cases.pop(key).outcome for key in pages},
                             {'done', 'undone'})
        self.assertEqual({
            ('attachment_get_all(server)', 'lagging'): 'undone',
            ('attachment_get_all(server)#2', 'lagging'): 'other',
            ('host-clean_up', 'unheard'): 'other',
            ('host-clean_up#2', 'unheard'): 'done',
        }, {key: case.outcome for key, case in cases.items()})

    def test_terminated(self):
        tool = subprocess.Popen(
            [pathlib.Path(sys.executable).parent / 'nova-volops', 'faults',
             '--flow', 'rebuild'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(tool.kill)
        nova = None
        while nova is None and tool.poll() is None:
            nova = self._nova(psutil.Process(tool.pid))
            time.sleep(0.1)
        tool.terminate()
        self.assertEqual(128 + signal.SIGTERM, tool.wait())
        self.assertFalse(nova.is_running())

    def _nova(self, tool):
        for child in tool.children():
            # It runs git, too, which ends in between.
            with contextlib.suppress(psutil.NoSuchProcess):
                if 'inside_nova.fault_matrix' in child.cmdline():
                    return child

    @ddt.data(*nova_base.sample())
    def test_sample(self, base):
        words = [word for flow in SAMPLED for word in ('--flow', flow)]
        words += [word for fault in ('413', 'lost', 'crash')
                  for word in ('--fault', fault)]
        cases = self._run(*words, '--sample', str(SAMPLE),
                          base=nova_base.Base.load(base))
        self.assertEqual(SAMPLE, len(cases))
        self.assertEqual(set(SAMPLED), {case.flow for case in cases})
        self.assertEqual([], [table.describe(case) for case in cases
                              if case.result == result.FAILED])

    def test_bad_input(self):
        for words, told in (
                (('--flow', 'x'), 'there is no flow x; choose from attach-ro'),
                (('--fault', '418'), 'there is no fault 418; choose from 400'),
                (('--flow', 'detach-offloaded', '--call', 'x'),
                 'there is no call x; choose from get(old)')):
            error = self.assertRaises(exceptions.BadInput, self._run, *words)
            self.assertIn(told, str(error))
