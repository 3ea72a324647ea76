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
"""The documented way back is the one that is tried out."""

import pathlib
import re

import testtools

from nova_volops_plugin.databases import check
from nova_volops_plugin.databases import rows
from nova_volops_plugin.series import base as series_base

UPGRADE = pathlib.Path(__file__).parents[3] / 'doc/source/admin/upgrade.rst'


class RollBackTest(testtools.TestCase):

    def _documented(self, base):
        """Return the statements of the document for a base."""
        text = UPGRADE.read_text()
        wanted, found = False, []
        for line in text.splitlines():
            if line.strip().startswith('-- '):
                wanted = base in line or 'both' in line
            elif wanted and re.match(r' +(UPDATE|ALTER|WHERE) ', line):
                found.append(line.strip())
        return [statement.strip() for statement in
                ' '.join(found).split(';') if statement.strip()]

    def _patched(self, base):
        """Return what the base's patches say of the revisions."""
        text = ''.join(path.read_text() for path in sorted(
            base.path.glob('*.patch')))
        return tuple(re.search(r"^\+%s = '(\w+)'" % name, text, re.M)[1]
                     for name in ('down_revision', 'revision'))

    def test_documented(self):
        for name in ('2026.2', 'yoga'):
            base = series_base.Base.load(name)
            self.assertEqual(
                list(check.roll_back(base, self._patched(base))),
                self._documented(name))


class RowsTest(testtools.TestCase):

    def test_numbers(self):
        servers, devices = rows.statements('mariadb', 1001)
        self.assertIn('seq_1_to_201)', servers)
        self.assertIn('seq_1_to_1001)', devices)
        # No UUID of one table equals one of another.
        self.assertIn("'00000001-", servers)
        for number in (1, 2, 3, 4):
            self.assertIn("'%08d-" % number, devices)
