# SPDX-License-Identifier: Apache-2.0

import re

from nova_volops_plugin.bases import git
from nova_volops_plugin import exceptions
from nova_volops_plugin.tests.unit.series import findings
from nova_volops_plugin.tests.unit.series import samples

_MODULE = findings.MODULE
_LINE = findings.LINE
_API = findings.API
_CONF = ('behind', 'one/base.conf')


class _TestCase(findings.TestCase):
    """With a base "one" that lags behind "two" and "three"."""

    def _lag(self, *files, base='one'):
        """Let a base lag behind in changes that "one" has."""
        self.edit(base + '/base.conf', '[series]', '[series]\nbehind = ' +
                  ' '.join(self._change_id('one/' + file) for file in files))

    def assertOpen(self, check, file, words):
        self.assertFound(check, file, words, is_open=True)
        self.assertEqual([_CONF, (check, file)], sorted(self._found()))

    def assertWrong(self, check, file):
        """Assert that one thing is wrong, and nothing but what lags open."""
        self.assertFound(check, file, '')
        self.assertEqual([(check, file), _CONF], self._found())


class LintTest(_TestCase):

    def setUp(self):
        super().setUp()
        self._copy('three', '3.0.0')
        self._copy('two', '2.0.0')

    def test_topic(self):
        self.edit('one/base.conf', '[series]', '[series]\nbehind = a-topic')
        self.assertFound(*_CONF, 'a-topic is no topic')
        for name in 'one', 'two', 'three':
            self.series.head(name, {
                _MODULE[5:-6]: '# topic first',
                _LINE[5:-6]: '# topic a-topic'})
        self.edit('one/' + _LINE, 'Say why.', 'Say more.')
        self.assertFound(*_CONF, 'a-topic', True)
        self.assertFound('same-message', 'one/' + _LINE, 'two', True)

    def test_malformed(self):
        for text in '', 'A', 'I1', 'a,b', 'a  b', '-a', 'I' + 41 * '1':
            conf = self.series.root / 'one/base.conf'
            good = conf.read_text()
            self.edit('one/base.conf', '[series]',
                      '[series]\nbehind = ' + text)
            self.assertRefused(
                exceptions.BadInput, ['behind', 'topics and Change-Ids'],
                self.series.load, 'one')
            conf.write_text(good)

    def test_message(self):
        self._lag(_LINE)
        self.edit('one/' + _LINE, 'Say why.', 'Say more.')
        self.assertOpen('same-message', 'one/' + _LINE, 'as in three, two')

    def test_message_of_another_change(self):
        self._lag(_LINE)
        self.edit('one/' + _MODULE, 'Say why.', 'Say more.')
        self.assertWrong('same-message', 'one/' + _MODULE)

    def test_message_of_others(self):
        """What lags behind does not say what is right."""
        self._lag(_LINE)
        self.edit('three/' + _LINE, 'Say why.', 'Say more.')
        self.edit('one/' + _LINE, 'Say why.', 'Say even more.')
        self.assertEqual(
            [('same-message', 'two/' + _LINE),
             ('same-message', 'one/' + _LINE), _CONF], self._found())

    def test_lines(self):
        self._lag(_LINE)
        self._commit()
        for name in 'three', 'two':
            self.edit(name + '/' + _LINE, '+line_20 = 21', '+line_20 = 22')
        self.assertOpen('same-lines', 'three/' + _LINE, 'the same in one at')

    def test_lines_of_others(self):
        self._lag(_LINE)
        self._commit()
        self.edit('three/' + _LINE, '+line_20 = 21', '+line_20 = 22')
        self.assertFound('same-lines', 'three/' + _LINE, 'the same in two at')
        self.assertFound('same-lines', 'three/' + _LINE, 'the same in one at',
                         is_open=True)

    def test_lines_of_itself(self):
        self._lag(_LINE)
        self._commit()
        self.edit('one/' + _LINE, '+line_20 = 21', '+line_20 = 22')
        self.assertOpen('same-lines', 'one/' + _LINE, 'in three, two at')

    def test_lines_of_itself_and_others(self):
        """What lags behind does not say what is right."""
        self._lag(_LINE, base='three')
        self._commit()
        self.edit('three/' + _LINE, '+line_20 = 21', '+line_20 = 22')
        self.edit('two/' + _LINE, '+line_20 = 21', '+line_20 = 23')
        self.assertFound('same-lines', 'two/' + _LINE, 'the same in one at')
        self.assertFound('same-lines', 'two/' + _LINE, 'the same in three at',
                         is_open=True)

    def _drop(self, name, file):
        self.edit(name + '/series', file + '\n', '')
        (self.series.root / name / file).unlink()

    def test_lacking(self):
        self._lag(_LINE)
        self.edit('one/base.conf', 'behind = ', 'behind = %s ' %
                  self._change_id('one/' + _API))
        self._drop('one', _LINE)
        self.assertFound('same-changes', 'one/series', _LINE + ' of three',
                         is_open=True)
        self._drop('two', _LINE)
        self.assertFound('same-changes', 'two/series', _LINE + ' of three')

    def test_lacking_another_change(self):
        self._lag(_LINE)
        self._drop('one', _API)
        self.assertWrong('same-changes', 'one/series')

    def test_no_longer_there(self):
        self._lag(_LINE)
        self._drop('three', _LINE)
        self._drop('two', _LINE)
        self.assertOpen('same-changes', 'one/' + _LINE,
                        'three, two no longer have it')
        for name in 'three', 'two':
            self._append(name + '/series', '# lacks %s: a reason' % _LINE)
        self.assertEqual([_CONF], self._found())

    def test_another_change_no_longer_there(self):
        self._lag(_LINE)
        self._drop('two', _API)
        self.assertWrong('same-changes', 'two/series')

    def _new_blob(self, name):
        path = self.series.root / name / _MODULE
        path.write_text(re.sub(
            r'\.\.[0-9a-f]{40}', '..' + 40 * '1', path.read_text()))

    def test_modules(self):
        self._lag(_MODULE)
        self._new_blob('one')
        self.assertOpen('same-modules', 'one/' + _MODULE, 'in three, two:')

    def test_modules_of_another_change(self):
        self._lag(_LINE)
        self._new_blob('one')
        self.assertFound('same-modules', 'two/' + _MODULE, 'in one, three:')

    def test_modules_of_others(self):
        self._lag(_MODULE)
        self._new_blob('three')
        self.assertFound('same-modules', 'two/' + _MODULE, 'as in three:')
        self.assertFound('same-modules', 'one/' + _MODULE, 'as in three:',
                         is_open=True)

    def test_numbers(self):
        self._rename('one', _0003='0009', _0002='0003')
        self.assertIn('same-name', [check for check, _ in self._found()])
        self._lag(_MODULE)
        self.assertEqual([_CONF], self._found())

    def test_names(self):
        self._rename('one', _0002='0002-x')
        file = '0002-x' + _LINE[4:]
        self.edit('one/' + file, 'PATCH] c', 'PATCH] x: c')
        self.edit('one/series', file, '0002-x-compute-change-a-line.patch')
        self._lag(file)
        self.assertFound('same-message', 'one/' + file, '', is_open=True)
        found = [('same-message', 'one/' + file), ('same-name', 'one/' + file)]
        self.assertEqual([_CONF, *found], sorted(self._found()))
        # Nor do those say what is right that lag behind in something else.
        for name in 'two', 'three':
            self._lag(_MODULE, base=name)
        self.assertFound('same-name', 'one/' + file, 'in three', is_open=True)
        self.assertEqual(found, sorted(
            each for each in self._found() if each[0] != 'behind'))

    def test_names_of_another_change(self):
        self._lag(_MODULE)
        file = '0002-compute-change-lines.patch'
        (self.series.root / 'one' / _LINE).rename(
            self.series.root / 'one' / file)
        self.edit('one/series', _LINE, file)
        self.edit('one/' + file, 'Change a line', 'Change lines')
        self.assertFound('same-name', 'one/' + file, _LINE)

    def test_lines_about_lacking_with_other_numbers(self):
        self._drop('one', _API)
        self._append('one/series', '# lacks 0009%s: a reason' % _API[4:])
        self.assertIn(('same-changes', 'one/series'), self._found())
        self._lag(_MODULE)
        self.assertEqual([_CONF], self._found())

    def test_order(self):
        self._rename('one', _0001='0002', _0002='0001')
        self._lag(_API)
        self.assertWrong('same-order', 'one/0002' + _MODULE[4:])

    def test_order_of_what_lags_behind(self):
        self._rename('one', _0001='0002', _0002='0001')
        self._lag('0002' + _MODULE[4:])
        self.assertEqual([_CONF], self._found())


class ExportTest(_TestCase):

    def setUp(self):
        super().setUp()
        self.series.add_patched('three', '3.0.0')
        self.series.add_patched('two', '2.0.0')

    def _insert(self, name):
        """Put a commit before the others of a base; export."""
        clone = self.series.top / ('clone-' + name)
        repository = git.isolated(clone)
        head = repository.line('rev-parse', 'HEAD')
        repository.run('reset', '-q', '--hard', 'HEAD~3')
        self.series.commit(clone, {'A': 'a'}, samples.message('A first one'))
        for number in (2, 1, 0):
            commit = '%s~%d' % (head, number)
            repository.run('read-tree', '-u', '--reset', commit)
            self.series.commit(clone, {'A': 'a'}, repository.line(
                'show', '-s', '--format=%B', commit) + '\n')
        return self.series.export(name, clone)

    def test_left_alone(self):
        self._lag(_LINE)
        before = samples.snapshot(self.series.root / 'one')
        self._insert('two')
        self.assertEqual('0004' + _API[4:], self.series.names('two')[-1])
        self.assertEqual('0004' + _API[4:], self.series.names('three')[-1])
        self.assertEqual(before, samples.snapshot(self.series.root / 'one'))
        self._insert('three')
        self._append('one/series', '# lacks 0001-a-first-one.patch: a reason')
        self.assertEqual([_CONF], self._found())

    def test_order_of_what_lags_behind(self):
        self._lag(_LINE)
        self._rename('one', _0001='0002', _0002='0001')
        self._insert('two')
        self.assertEqual('0002' + _MODULE[4:], self.series.names('two')[1])

    def test_by_itself(self):
        self._lag(_LINE)
        before = samples.snapshot(self.series.root / 'two')
        self._insert('one')
        self.assertEqual('0004' + _API[4:], self.series.names('one')[-1])
        self.assertEqual(before, samples.snapshot(self.series.root / 'two'))

    def test_table(self):
        readme = self.series.root / 'README.rst'
        readme.write_text(
            '.. patches: written by "nova-volops patch export"\n'
            '.. end of patches\n')
        self._lag(_LINE)
        self._insert('two')
        self._insert('three')
        rows = readme.read_text().split('   * - ')[1:]
        self.assertEqual([
            'Patch', '0001', '0002', '0003', '0004'],
            [row.partition('\n')[0] for row in rows])
        for row, cells in zip(rows[1:], (
                ['no', 'yes', 'yes'], *[['yes'] * 3] * 2, ['2.11'] * 3)):
            self.assertEqual(cells, [
                line.split('- ')[1] for line in row.splitlines()[2:5]])
        self._append('one/series', '# lacks 0007-a-first-one.patch: a reason')
        self.assertIn(('table', 'README.rst'), self._found())
        self.assertEqual(['README.rst'], self.series.export(
            'two', self.series.top / 'clone-two'))
        self.assertIn('     - no: a reason\n', readme.read_text())
        self.assertEqual([_CONF], self._found())
