# SPDX-License-Identifier: Apache-2.0

"""The page that lists the fixes, against the series."""

import re

import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.series import patch
from nova_volops_plugin.series import series_file
from nova_volops_plugin.tests import documents

_PAGE = documents.TOP / 'doc/source/reference/fixes.rst'
_BUG = re.compile(r'^(?:Closes|Related)-Bug: #(\d+)$', re.MULTILINE)


class TestFixesPage(testtools.TestCase):

    def setUp(self):
        super().setUp()
        #: by title, in the order of the page: (bug numbers, names of bases)
        self.shown = {}
        for row in re.split(r'^   \* - ', _PAGE.read_text(),
                            flags=re.MULTILINE)[2:]:
            title, _effect, bug, bases = (
                ' '.join(cell.split()) for cell in
                re.split(r'^     - ', row, flags=re.MULTILINE))
            self.shown[title] = (
                set(re.findall(r'`(\d+) <', bug)),
                nova_base.names() if bases == 'all' else bases.split(', '))

    def test_patches(self):
        found = {}
        for base in nova_base.load_all():
            series = series_file.SeriesFile.load(base.path / 'series')
            for file_name in series.topics['fixes'].patches:
                fix = patch.Patch(base.path / file_name)
                bugs = set(_BUG.findall(fix.path.read_text()))
                _bugs, bases = found.setdefault(fix.subject, (bugs, []))
                bases.append(base.name)
        self.assertEqual(found, self.shown)
