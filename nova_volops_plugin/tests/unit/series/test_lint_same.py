# SPDX-License-Identifier: Apache-2.0

import re
import shutil

from nova_volops_plugin.bases import git
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import lint
from nova_volops_plugin.tests.unit.series import findings
from nova_volops_plugin.tests.unit.series import samples

_MODULE = findings.MODULE
_LINE = findings.LINE


class _TestCase(findings.TestCase):

    def setUp(self):
        super().setUp()
        self._copy('two', '2.0.0')

    def _number_two(self):
        """Give "two" the microversions that follow 2.20."""
        self.edit('two/base.conf', 'base = 2.10', 'base = 2.20')
        self.edit('two/base.conf', 'series = 2.11', 'series = 2.21')

    def _change(self, name, file=_LINE, to='22'):
        path = self.series.root / name / file
        path.write_text(re.sub(
            r'(?m)^\+line_20 = .*', '+line_20 = ' + to, path.read_text()))


class LinesTest(_TestCase):

    def test_no_commit(self):
        self._change('two')
        self.assertClean()
        git.isolated(self.series.top).run('init', '-q')
        self.assertClean()

    def test_not_of_the_repository(self):
        self.series.root.rename(self.series.top / 'elsewhere')
        self.series.root.mkdir()
        (self.series.root / 'file').touch()
        self._commit()
        self.series.root = self.series.top / 'elsewhere'
        self._change('two')
        self.assertClean()

    def test_changed_in_one(self):
        self._commit()
        self.assertClean()
        self._change('two')
        self.assertFound(
            'same-lines', 'two/' + _LINE,
            'line for line the same in one at HEAD and is not now: bring '
            'the change to them by "nova-volops patch carry", or add the '
            'line "# differs %s: REASON" to two/series' % _LINE)
        self.assertEqual([('same-lines', 'two/' + _LINE)], self._found())
        self._change('one')
        self.assertClean()

    def test_changed_with_reason(self):
        self._commit()
        self._change('two')
        self._append('two/series', '# differs %s: a reason' % _LINE)
        self.assertClean()

    def test_not_the_same_before(self):
        self._change('two')
        self._commit()
        self._change('two', to='23')
        self.assertClean()

    def test_what_is_around_does_not_count(self):
        self._commit()
        self.edit('two/' + _LINE, ' line_19', ' line_18')
        self.assertClean()

    def test_microversions_do_not_count(self):
        self._number_two()
        self._change('one', to='2.11')
        self._change('two', to='2.21')
        self._commit()
        self._change('one', to='3')
        self.assertFound('same-lines', 'one/' + _LINE, 'the same in two')
        self._change('two', to='3')
        self.assertClean()

    def test_other_numbers_count(self):
        self._number_two()
        self._change('one', to='2.9')
        self._change('two', to='2.19')
        self._commit()
        self._change('one')
        self.assertClean()

    def test_numbered_anew(self):
        self._commit()
        for name in 'one', 'two':
            self._rename(name, _0003='0007', _0002='0003')
        self.assertClean()
        self._change('two', '0003' + _LINE[4:])
        self.assertFound(
            'same-lines', 'two/0003' + _LINE[4:], 'the same in one')

    def test_once_for_the_newest(self):
        self._copy('three', '3.0.0')
        self._commit()
        self._change('three', to='23')
        self._change('one', to='24')
        self.assertFound('same-lines', 'three/' + _LINE, 'in one, two at')
        self.assertEqual([('same-lines', 'three/' + _LINE)], self._found())

    def test_new_patch(self):
        """It may be in the bases' folders without being committed."""
        for name in 'one', 'two':
            self._rename(name, _0003='0004')
        self._commit()
        for name in 'one', 'two':
            text = (self.series.root / name / _LINE).read_text()
            text = text.replace(
                self._change_id('one/' + _LINE), 'I' + 40 * '1')
            (self.series.root / name / ('0003' + _LINE[4:])).write_text(
                text + '\n' * (name == 'two'))
            self.edit(name + '/series', _LINE + '\n',
                      _LINE + '\n0003' + _LINE[4:] + '\n')
        self.assertClean()

    def test_base_that_is_gone(self):
        self._commit()
        shutil.rmtree(self.series.root / 'two')
        self.assertClean()

    def test_malformed_before(self):
        path = self.series.root / 'two' / _LINE
        good = path.read_text()
        path.write_text(good.replace('a/nova/', 'a/../nova/'))
        self._commit()
        path.write_text(good)
        self.assertClean()

    def test_since(self):
        self._commit()
        self._change('two')
        self._commit()
        self.assertClean()
        self.assertFound('same-lines', 'two/' + _LINE, 'in one at HEAD^',
                         since='HEAD^')

    def test_no_such_commit(self):
        for since in 'HEAD', 'nothing', '--all', 'HEAD:nova-patches':
            self.assertRefused(
                exceptions.BadInput, ['no commit', since, 'nova-patches'],
                lint.lint, self.series.root, since)
            if since == 'HEAD':
                self._commit()


class MessageTest(_TestCase):

    def test_differs(self):
        self.edit('two/' + _MODULE, 'Say why.', 'Say more.')
        self.assertFound(
            'same-message', 'two/' + _MODULE,
            'not the same as in one: reword the commit and export again, or '
            'add the line "# differs %s: REASON" to two/series' % _MODULE)
        self.assertEqual([('same-message', 'two/' + _MODULE)], self._found())

    def test_trailers_count(self):
        self.edit('two/' + _MODULE, 'Status: Pending', 'Status: Denied [no]')
        self.assertFound('same-message', 'two/' + _MODULE, 'as in one')

    def test_most_bases_are_right(self):
        self._copy('three', '3.0.0')
        self.edit('one/' + _MODULE, 'Say why.', 'Say more.')
        self.assertFound('same-message', 'one/' + _MODULE, 'in three, two:')
        self.assertEqual([('same-message', 'one/' + _MODULE)], self._found())

    def test_with_reason(self):
        self.edit('two/' + _MODULE, 'Say why.', 'Say more.')
        self._append('two/series', '# differs %s: a reason' % _MODULE)
        self.assertClean()

    def test_microversions_do_not_count(self):
        self._number_two()
        for name, why in (('one', 'Say why 2.10 and v2.11.'),
                          ('two', 'Say why 2.20 and v2.21.')):
            self.edit('%s/%s' % (name, _LINE), 'Say why.',
                      why + '\nThe 2.11 of a release is another one.')
        self.assertClean()
        self.edit('two/' + _LINE, 'v2.21', 'v2.22')
        self.assertFound('same-message', 'two/' + _LINE, 'as in one')


class ReasonsTest(_TestCase):

    def test_nothing_differs(self):
        self._append('two/series', '# differs %s: a reason' % _LINE)
        self.assertFound('same-lines', 'two/series',
                         'delete the line "# differs %s"' % _LINE)

    def test_of_a_patch_that_it_has_not(self):
        self._append('two/series', '# differs 0004-nothing.patch: a reason')
        self.assertFound('same-lines', 'two/series', 'has no 0004-nothing')


class ExportTest(findings.TestCase):

    def test_moves_along(self):
        self.series.add_patched('two', '2.0.0')
        self.edit('one/' + _LINE, 'Say why.', 'Say more.')
        self._append('one/series', '# differs %s: a reason' % _LINE)
        clone = self.series.top / 'clone-two'
        repository = git.isolated(clone)
        repository.run('reset', '-q', '--hard', 'HEAD~3')
        for file, text in (('README.rst', 'New'), ('A', 'a'), ('B', 'b')):
            self.series.commit(clone, {file: text}, samples.message(
                {'A': 'Add a module', 'B': 'compute: Change a line'}.get(
                    file, 'First of all')))
        self.series.export('two', clone)
        self.assertIn('\n# differs 0003%s: a reason\n' % _LINE[4:],
                      (self.series.root / 'one/series').read_text())
