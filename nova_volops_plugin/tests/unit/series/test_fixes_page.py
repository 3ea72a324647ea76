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

    def test_patches(self):
        shown = {
            title: set(re.findall(r':bug:`(\d+)`', text))
            for title, text in re.findall(
                r'^(\S.*)\n((?:    .*\n)+)', _PAGE.read_text(),
                re.MULTILINE)}
        found = {}
        for base in nova_base.load_all():
            series = series_file.SeriesFile.load(base.path / 'series')
            for file_name in series.topics['fixes'].patches:
                fix = patch.Patch(base.path / file_name)
                found[fix.subject] = set(_BUG.findall(fix.path.read_text()))
        self.assertEqual(found, shown)
