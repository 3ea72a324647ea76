# SPDX-License-Identifier: Apache-2.0

import pathlib
import sys

import fixtures
import testtools

from nova_volops_plugin.bases import installer


class CompileTest(testtools.TestCase):

    def test_what_compiles(self):
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        for folder in ('bin', 'lib/package'):
            (path / folder).mkdir(parents=True)
        (path / 'bin/python').symlink_to(sys.executable)
        (path / 'lib/package/good.py').write_text('')
        (path / 'lib/package/bad.py').write_text('print "of Python 2"')
        installer.compile_packages(path)
        tag = sys.implementation.cache_tag
        self.assertEqual(
            ['good.%s.pyc' % tag],
            [file.name for file in (path / 'lib').rglob('*.pyc')])
