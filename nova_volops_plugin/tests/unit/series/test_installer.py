# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

import pathlib
import sys

import fixtures
import testtools

from nova_volops_plugin.series import installer


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
