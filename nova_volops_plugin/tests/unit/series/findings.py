# SPDX-License-Identifier: Apache-2.0

"""What the tests of lint have in common."""

import shutil

from nova_volops_plugin.series import lint
from nova_volops_plugin.tests.unit.series import samples

MODULE = '0001-add-a-module.patch'
LINE = '0002-compute-change-a-line.patch'
API = '0003-api-add-microversion-2.11.patch'


class TestCase(samples.TestCase):
    """With a base "one" that has a series."""

    def setUp(self):
        super().setUp()
        self.series.add_patched('one')

    def _copy(self, name, version):
        """Make another base that has the same series."""
        shutil.copytree(self.series.root / 'one', self.series.root / name)
        self.edit(name + '/base.conf', '1.0.0', version)

    def _append(self, name, line):
        with open(self.series.root / name, 'a') as file:
            file.write(line + '\n')

    def _rename(self, base, **names):
        """Give patches other numbers, such as ``_0001='0003'``."""
        folder = self.series.root / base
        text = (folder / 'series').read_text()
        files = {number: next(folder.glob(number[1:] + '-*'))
                 for number in names}
        for number, new in names.items():
            name = files[number].name
            moved = new + name[4:]
            files[number].rename(folder / (moved + '.new'))
            text = text.replace(name + '\n', moved + '\n')
        for path in folder.glob('*.new'):
            path.rename(path.with_suffix(''))
        (folder / 'series').write_text(''.join(sorted(
            text.splitlines(keepends=True),
            key=lambda line: line.removeprefix('# lacks '))))

    def _commit(self):
        """Commit the bases to a repository that has more than these."""
        repository = samples.repository(self.series.top)
        repository.run('init', '-q')
        repository.run('add', self.series.root)
        repository.run('commit', '-q', '--allow-empty', '-m', 'The bases')

    def _change_id(self, file):
        """Return the Change-Id of a patch, relative to the bases' folder."""
        return next(
            line.split()[1]
            for line in (self.series.root / file).read_text().splitlines()
            if line.startswith('Change-Id'))

    def _found(self, **options):
        """Return what lint finds, as pairs of its check and file."""
        return [(each.check, each.file)
                for each in lint.lint(self.series.root, **options)]

    def assertFound(self, check, file, words, is_open=False, **options):
        found = lint.lint(self.series.root, **options)
        for each in found:
            if each.check == check and each.file == file and (
                    each.open == is_open):
                self.assertIn(words, each.message)
                return
        self.fail('%s found nothing in %s: %s' % (check, file, found))

    def assertClean(self, **options):
        self.assertEqual([], lint.lint(self.series.root, **options))
