# SPDX-License-Identifier: Apache-2.0

import testtools

from inside_nova.nova_ledger import ledger
from inside_nova.nova_ledger import statements


class LedgerTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.book = ledger.Ledger()

    def test_counts_by_request(self):
        for request, name in (('a', 'get'), ('a', 'get'), ('b', 'get'),
                              ('a', 'attachment_create')):
            self.book.note(request, 'cinder', name)
        self.assertEqual({'get': 2, 'attachment_create': 1},
                         self.book.view('a')['counts']['cinder'])
        self.assertEqual({'get': 1}, self.book.view('b')['counts']['cinder'])
        self.assertIsNone(self.book.view('c'))

    def test_running(self):
        for by in (1, 1, -1):
            self.book.enter('a', by)
        view = self.book.view('a')
        self.assertEqual(1, view['running'])
        self.assertEqual({kind: {} for kind in ledger.KINDS}, view['counts'])

    def test_answer(self):
        self.book.note('a', 'cinder', 'get')
        noted = self.book.view('a')['last']
        self.book.answer('a', noted - 1, 0)
        self.book.note('a', 'cinder', 'get')
        view = self.book.view('a')
        self.assertEqual((noted - 1, 0),
                         (view['began'], view['processor_began']))
        self.assertTrue(noted <= view['answered'] <= view['last'])
        self.assertEqual(1, view['api_cinder'])


class StatementsTest(testtools.TestCase):

    def test_names(self):
        for statement, name in (
                ('SELECT instances.id AS x \nFROM instances \nWHERE 1',
                 'SELECT instances'),
                ('SELECT anon_1.id \nFROM (SELECT instances.id AS id\n'
                 'FROM instances) AS anon_1', 'SELECT instances'),
                ('INSERT INTO block_device_mapping (a) VALUES (?)',
                 'INSERT block_device_mapping'),
                ('UPDATE `instances` SET a=?', 'UPDATE instances'),
                ('DELETE FROM tags WHERE 1', 'DELETE tags'),
                ('SELECT 1', 'SELECT'),
                ('BEGIN', None), ('SAVEPOINT sa_savepoint_1', None)):
            self.assertEqual(name, statements.name_of(statement))
