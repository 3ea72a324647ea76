# SPDX-License-Identifier: Apache-2.0

import ddt

from nova_volops_plugin.series import table
from nova_volops_plugin.tests.unit.series import findings
from nova_volops_plugin.tests.unit.series import samples

_MODULE = findings.MODULE
_LINE = findings.LINE
_MODULE_PATH = 'nova/compute/reimage.py'


@ddt.ddt
class PatchTest(findings.TestCase):

    def test_clean(self):
        self.assertClean()

    @ddt.data(
        ('name', 'Subject: [PATCH] Add a', 'Subject: [PATCH] Add another',
         'makes it 0001-add-another-module.patch'),
        ('format', 'From 0000', 'From 1234', 'commit id'),
        ('format', '\ndiff --git', '---\n x | 1 +\n\ndiff --git',
         'list of changed files'),
        ('format', 'index 0000000000000000000000000000000000000000..',
         'index 0000000..', 'full blob ids'),
        ('message', 'Add a module', 'Add a module.', 'full stop'),
        ('message', 'Add a module', 'Add a module ' + 'x' * 72, 'at most 72'),
        ('message', 'Say why.\n\n', '', 'Missing body'),
        ('message', 'Say why.', 'Say why ' * 10, 'at most 72'),
        ('trailers', 'Upstream-Status: Pending\n', '',
         'Missing Upstream-Status'),
        ('trailers', 'Upstream-Status: Pending', 'Upstream-Status: pending',
         'Malformed Upstream-Status'),
        ('trailers', 'Upstream-Status: Pending',
         'Upstream-Status: Inappropriate', 'Malformed Upstream-Status'),
        ('trailers', 'Upstream-Status: Pending', 'Upstream-Status: Denied []',
         'Malformed Upstream-Status'),
        ('trailers', 'Upstream-Status', 'Spec: unknown\nUpstream-Status',
         'Malformed Spec'),
        ('trailers', 'Change-Id: I', 'Change-Id: ', 'Malformed Change-Id'),
        ('trailers', 'Change-Id: I', 'Other: I', 'Missing Change-Id'),
        ('trailers', 'Upstream-Status: Pending\n',
         'Upstream-Status: Pending\nUpstream-Status: Pending\n', 'twice'),
        ('trailers', 'Signed-off-by: A Dev', 'Signed-off-by: B Dev',
         'none is the author'),
        ('trailers', 'Signed-off-by: A Developer <a@example.org>\n', '',
         'Missing Signed-off-by'),
        ('trailers', 'Upstream-Status: Pending\n', '\n'
         'Signed-off-by: A Developer <a@example.org>\n'
         'Upstream-Status: Pending\n', 'the order is'),
        ('whitespace', '+VALUE = 1', '+VALUE = 1 ', 'white space'),
        ('whitespace', '+VALUE = 1', '+\tVALUE = 1', 'tab'),
        ('whitespace', '+VALUE = 1', '+<<<<<<< HEAD', 'conflict'),
        ('whitespace', '+VALUE = 1', '+', 'empty line'),
    )
    @ddt.unpack
    def test_finds(self, check, old, new, words):
        self.edit('one/' + _MODULE, old, new)
        self.assertFound(check, 'one/' + _MODULE, words)

    @ddt.data(
        ('Upstream-Status: Pending',
         'Upstream-Status: Submitted [https://review.example.org/1]'),
        ('Upstream-Status: Pending', 'Upstream-Status: Backport [1234567]'),
        ('Upstream-Status: Pending',
         'Upstream-Status: Inappropriate [upstream rejected it]'),
        ('Upstream-Status: Pending', 'Upstream-Status: Denied [too late]'),
        ('Upstream-Status', 'Spec: volume-ops-when-shelved\n'
                            'Upstream-Status'),
        ('Say why.', 'See https://example.org/' + 'x' * 80),
        ('Signed-off-by', 'Signed-off-by: B <b@example.org>\n'
                          'Signed-off-by'),
    )
    @ddt.unpack
    def test_passes(self, old, new):
        self.edit('one/' + _MODULE, old, new)
        self.assertClean()

    def test_service_version(self):
        path = self.series.root / 'one' / _MODULE
        path.write_text(path.read_text().replace(
            'nova/compute/reimage.py', 'nova/objects/service.py').replace(
                '+VALUE = 1', '+SERVICE_VERSION = 6'))
        self.assertFound('service-version', 'one/' + _MODULE,
                         'report a capability')

    def test_signature(self):
        with open(self.series.root / 'one' / _MODULE, 'a') as file:
            file.write('-- \n2.39.5\n\n')
        self.assertFound('format', 'one/' + _MODULE, "git's version")


class FilesTest(findings.TestCase):

    def test_unnamed(self):
        self.edit('one/series', _LINE + '\n', '')
        self.assertFound('files', 'one/' + _LINE, 'does not name it')

    def test_missing(self):
        (self.series.root / 'one' / _LINE).unlink()
        self.assertFound('files', 'one/series', _LINE)

    def test_constraints(self):
        path = self.series.root / 'one/constraints.txt'
        path.write_text('# why\n\na.b==1.0\nc==2 ; python_version < "3.10"\n')
        self.assertClean()
        for line in ('a', 'a>=1', '-e .', '--index-url http://example.org',
                     'a @ http://example.org/a.whl', 'a==1 --global-option=x',
                     'a==1;os_name=="x" or 1', './a==1'):
            path.write_text(line + '\n')
            self.assertFound('files', 'one/constraints.txt', 'line 1')
        path.unlink()
        self.assertFound('files', 'one/constraints.txt', 'cannot be read')

    def test_unreadable(self):
        self.edit('one/' + _MODULE,
                  'a/nova/compute/reimage.py b/nova/compute/reimage.py',
                  'a/../reimage.py b/../reimage.py')
        self.assertFound('readable', 'one', 'not a plain path')

    def test_table(self):
        readme = self.series.root / 'README.rst'
        readme.write_text('Title\n')
        self.assertFound('table', 'README.rst', 'comes between')
        readme.write_text(
            'Title\n' + table._START + table._END + 'The end\n')
        self.assertFound('table', 'README.rst', 'patch export')
        clone = self.series.top / 'clone-one'
        self.assertEqual(['README.rst'], self.series.export('one', clone))
        self.assertClean()
        self.assertIn('     - 2.11\n', readme.read_text())
        self.assertTrue(readme.read_text().endswith('The end\n'))


class PairsTest(findings.TestCase):

    def setUp(self):
        super().setUp()
        self.series.add_patched('two', '2.0.0')

    def test_lacks_a_patch(self):
        clone = self.series.top / 'clone-one'
        self.series.commit(clone, {'README.rst': 'One\n'},
                           samples.message('Only here'))
        self.series.export('one', clone)
        self.assertFound('same-changes', 'two/series',
                         '# lacks 0004-only-here.patch: REASON')
        self._append('two/series', '# lacks 0004-only-here.patch: it has that')
        self.assertClean()

    def test_lacks_what_none_has(self):
        self._append('two/series', '# lacks 0004-nothing.patch: why')
        self.assertFound('same-changes', 'two/series', 'no base has')

    def test_lacks_what_it_has(self):
        self._append('two/series', '# lacks %s: why' % _LINE)
        self.assertFound('same-changes', 'two/series', 'says that it lacks')

    def test_other_name(self):
        self.edit('two/series', _LINE, '0002-compute-change-lines.patch')
        folder = self.series.root / 'two'
        (folder / _LINE).rename(folder / '0002-compute-change-lines.patch')
        self.edit('two/0002-compute-change-lines.patch',
                  'Change a line', 'Change lines')
        self.assertFound('same-name', 'two/0002-compute-change-lines.patch',
                         _LINE + ' in one')

    def test_change_id_twice(self):
        self.edit('two/' + _LINE, self._change_id('two/' + _LINE),
                  self._change_id('two/' + _MODULE))
        self.assertFound('change-id', 'two/' + _LINE, _MODULE)

    def test_modules_differ_in_the_end(self):
        clone = self.series.top / 'clone-two'
        self.series.commit(clone, {'nova/compute/reimage.py': 'VALUE = 2\n'},
                           samples.message('Change the module'))
        self.series.export('two', clone)
        self._append('one/series', '# lacks 0004-change-the-module.patch: why')
        self.assertFound('same-modules', 'two/0004-change-the-module.patch',
                         'nova/compute/reimage.py is not the same as in one')
        self._append('two/series', '# differs %s: a reason' % _MODULE_PATH)
        self.assertClean()

    def test_reason_without_difference(self):
        self._append('two/series', '# differs %s: a reason' % _MODULE_PATH)
        self.assertFound('same-modules', 'two/series', 'delete the line')


_VERSIONS = 'nova/db/main/migrations/versions/'
_SCHEMA = '0004-add-a-column.patch'


def _migration(revision, *parents):
    parents = parents[0] if len(parents) == 1 else parents
    return {_VERSIONS + revision + '_x.py':
            'revision = %r\ndown_revision = %r\n' % (revision, parents)}


_COLUMN = _migration('column', 'r1')
_OLDER = _migration('merge1', 'r1', 'column')
_NEWER = _migration('merge2', 'r2', 'merge1')


@ddt.ddt
class MigrationsTest(findings.TestCase):
    """Of release 1 and 2, whose last migrations are r1 and r2."""

    def setUp(self):
        super().setUp()
        self.series.add_patched('two', '2.0.0')

    def _add(self, name, *files):
        clone = self.series.top / ('clone-' + name)
        merged = {path: text for each in files for path, text in each.items()}
        self.series.commit(clone, merged, samples.message('Add a column'))
        self.series.export(name, clone)

    # The last ones are merges of bases in between.
    @ddt.data((), (_migration('merge3', 'r2', 'merge2'),))
    def test_clean(self, more):
        self._add('one', _COLUMN, _OLDER)
        self._add('two', _COLUMN, _OLDER, _NEWER, *more)
        self.assertClean()

    @ddt.data(
        # Another parent, and another file.
        ((_migration('column', 'r2'), _OLDER, _NEWER),
         'two/' + _SCHEMA, 'column_x.py in one'),
        (({_VERSIONS + 'y.py': each for each in _COLUMN.values()}, _OLDER,
          _NEWER), 'two/' + _SCHEMA, 'y.py is not the'),
        # It does not know the merge of the older one.
        ((_COLUMN, _migration('merge2', 'r2', 'column')),
         'two/series', 'merge1_x.py as it is'),
        # It has no merge of its own.
        ((_COLUMN, _OLDER), 'two/series', 'the merge of one'),
        # Two heads, and a strange merge.
        ((_COLUMN, _OLDER, _migration('merge2', 'r2', 'column')),
         'two/' + _SCHEMA, 'both the last'),
        ((_COLUMN, _OLDER, _migration('merge2', 'r1', 'r2', 'merge1')),
         'two/' + _SCHEMA, 'merges others'))
    @ddt.unpack
    def test_newer(self, added, file, words):
        self._add('one', _COLUMN, _OLDER)
        self._add('two', *added)
        self.assertFound('migrations', file, words)

    def test_nothing_merged(self):
        self._add('one', _COLUMN)
        self.assertFound('migrations', 'one/' + _SCHEMA, 'merges nothing')

    def test_former(self):
        former = _migration('7c1d0a2e94b6', 'r1')
        self._add('one', former, _migration('merge1', 'r1', '7c1d0a2e94b6'))
        self.assertFound('migrations', 'one/' + _SCHEMA, 'former revision')

    def test_unreadable(self):
        self._add('one', {_VERSIONS + 'x.py': 'revision = name()\n'})
        self.assertFound('migrations', 'one/series', 'x.py of')

    def test_changed_later(self):
        self._add('one', _COLUMN, _OLDER)
        clone = self.series.top / 'clone-one'
        self.series.commit(clone, _migration('merge1', 'r2', 'column'),
                           samples.message('Change it'))
        self.series.export('one', clone)
        self.assertFound('migrations', 'one/series', 'is only added')
