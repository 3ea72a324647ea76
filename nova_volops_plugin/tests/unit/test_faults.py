# SPDX-License-Identifier: Apache-2.0

import dataclasses
import io
import json
import pathlib
import sys

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cmd import app
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.faults import explained
from nova_volops_plugin.lab.faults import matrix
from nova_volops_plugin.lab.faults import table
from nova_volops_plugin import result

TREE = '0123456789abcdef'
ORPHAN = ('orphan', 'data has an attachment (reserved) of no server')
UNDONE = matrix.Case('boot-ro', 'get(root)', '404', 'undone', base='old')
LEAKED = matrix.Case('boot-ro', 'attachment_create(data)', 'lost', 'other',
                     broken=(ORPHAN,), base='old')
KNOWN = matrix.Case(
    'shelve', 'attachment_delete(root)', '404', 'error', broken=(
        ('device', 'root of server: the device has no attachment'),),
    base='old', reason='Cinder deleted it.')
OLDER = nova_base.Base.load(nova_base.sample()[1])


class ReadTest(testtools.TestCase):

    def _line(self, **values):
        return json.dumps(dict({
            'flow': 'boot-ro', 'call': 'get(root)', 'fault': '404',
            'outcome': 'undone', 'told': True, 'broken': [], 'seconds': 0.0,
            'codes': [404], 'state': {}}, **values))

    def test_case(self):
        self.assertEqual(UNDONE, matrix.read(self._line(), 'old'))
        self.assertEqual(result.PASSED, UNDONE.result)

    def test_broken(self):
        case = matrix.read(self._line(
            call='attachment_create(data)', fault='lost', outcome='other',
            broken=[list(ORPHAN)]), 'old')
        self.assertEqual(LEAKED, case)
        self.assertEqual(result.FAILED, case.result)

    def test_healthy(self):
        healthy = {'flow': 'boot-ro', 'calls': ['get(root)'], 'broken': []}
        self.assertIsNone(matrix.read(json.dumps(healthy), 'new'))
        healthy['broken'] = [list(ORPHAN)]
        error = self.assertRaises(exceptions.VolopsError, matrix.read,
                                  json.dumps(healthy), 'new')
        self.assertIn('boot-ro fails without a fault', str(error))


class ResultsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.path = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path) / 'results'

    def test_go_on(self):
        results = matrix.Results(self.path, TREE)
        self.assertEqual([], results.lines)
        results.add('{"flow": "a"}')
        results.add('{"flow": "a"}')
        with self.path.open('a') as file:
            file.write('{"flow": "b", "ca')
        for _ in range(2):
            results = matrix.Results(self.path, TREE)
            self.assertEqual(['{"flow": "a"}'], results.lines)
        self.assertEqual('{"tree": "%s"}\n{"flow": "a"}\n' % TREE,
                         self.path.read_text())

    def test_other_tree(self):
        matrix.Results(self.path, 'fedcba')
        before = self.path.read_text()
        error = self.assertRaises(
            exceptions.BadInput, matrix.Results, self.path, TREE)
        self.assertIn('no results of the tree ' + TREE, str(error))
        self.assertEqual(before, self.path.read_text())


class ExplainedTest(testtools.TestCase):

    def test_only_what_is_explained_wholly(self):
        self.assertEqual('', explained.reason(LEAKED))
        gone = matrix.Case('evacuate', 'attachment_get(data)', '404', 'error',
                           broken=(('device', 'it has none'),))
        self.assertIn('Cinder says', explained.reason(gone))
        for other in ({'broken': gone.broken + (ORPHAN,)},
                      {'call': 'get(data)'}, {'fault': '500'}):
            self.assertEqual('', explained.reason(
                dataclasses.replace(gone, **other)))


class TableTest(testtools.TestCase):

    def test_matrix(self):
        self.assertEqual(
            (('Base', 'Flow', 'Call', '404', 'lost'),
             [('old', 'boot-ro', 'get(root)', 'undone', '-'),
              ('old', 'boot-ro', 'attachment_create(data)', '-', 'other!'),
              ('old', 'shelve', 'attachment_delete(root)', 'error*', '-')]),
            table.matrix([UNDONE, LEAKED, KNOWN]))

    def test_order_of_faults(self):
        cases = [matrix.Case('rebuild', call, fault, 'done')
                 for call, fault in (('sql-update(instances)', 'crash'),
                                     ('get(root)', '404'),
                                     ('get(root)', 'crash'))]
        columns, rows = table.matrix(cases)
        self.assertEqual(('404', 'crash'), columns[3:])
        self.assertEqual(('-', 'done'), rows[0][3:])

    def test_document(self):
        text = table.document([UNDONE, LEAKED, KNOWN], TREE)
        self.assertIn('Of 3 cases on the tree ``%s``, 1 passed, 1 are '
                      'explained and 1 failed.\n' % TREE, text)
        self.assertIn('\n   boot-ro,2,2,0,1,0,1,0,1\n', text)
        self.assertIn('\n   shelve,1,1,0,0,1,0,1 (1),0\n', text)
        self.assertIn('\n1. Cinder deleted it.\n', text)


class CommandTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.cases = [UNDONE, KNOWN]
        self.asked = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_volops_plugin.lab.faults.matrix.run', self._run_matrix))
        self.err = io.StringIO()
        self.useFixture(fixtures.MonkeyPatch('sys.stderr', self.err))

    def _run_matrix(self, state, base, arguments, log, results):
        self.asked.append((base, list(arguments), log, results))
        return iter(self.cases)

    def _run(self, *words):
        self.useFixture(fixtures.MonkeyPatch('sys.stdout', io.StringIO()))
        code = app.main(
            ['--state-dir', str(self.folder), 'faults', *words])
        return code, sys.stdout.getvalue()

    def test_passed(self):
        code, out = self._run('--base', OLDER.name, '--flow', 'boot-ro',
                              '--fault', '404', '--sample', '2')
        self.assertEqual(0, code)
        self.assertEqual([(OLDER, ['--flow', 'boot-ro', '--fault', '404',
                                   '--sample', '2'], None, None)],
                         self.asked)
        self.assertIn('error*', out)
        self.assertRegex(
            out, r'\nIt took \d+ s, and \d+ s of a processor\.\n'
            r'faults: 2 passed, 0 failed, 0 skipped\n$')

    def test_failed(self):
        self.cases.append(LEAKED)
        code, out = self._run('-f', 'json')
        self.assertEqual(3, code)
        self.assertEqual(
            ['passed', 'explained', 'failed'],
            [row['Result'] for row in json.loads(out)])
        self.assertIn('attachment_create(data) fails by lost: data has',
                      self.err.getvalue())

    def test_all_bases(self):
        code, out = self._run('--base', 'all', '--nova-log', 'BASE.log',
                              '--results', 'BASE.json',
                              '--document', str(self.folder / 'BASE.txt'))
        self.assertEqual(0, code)
        self.assertEqual([(base, [], pathlib.Path(base.name + '.log'),
                           pathlib.Path(base.name + '.json'))
                          for base in nova_base.load_all()], self.asked)
        self.assertIn(
            'faults: %d passed' % (2 * len(nova_base.names())), out)
        trees = {base.name: base.tree for base in nova_base.load_all()}
        for base in trees:
            text = (self.folder / (base + '.txt')).read_text()
            self.assertEqual(
                [base], [name for name in trees if trees[name] in text])
