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

"""A site in a short folder of its own, as sockets need it."""

import pathlib
import shutil
import tempfile

import testtools

from nova_volops_plugin.cloud.real import site
from nova_volops_plugin import state


class TestCase(testtools.TestCase):
    """Has ``self.state`` and :meth:`site`; ends what a test left running."""

    def setUp(self):
        super().setUp()
        folder = pathlib.Path(tempfile.mkdtemp(prefix='vr'))
        self.addCleanup(shutil.rmtree, folder)
        self.state = state.StateDir(folder)

    def site(self, base='2026.2', patched=True, hosts=1):
        return site.Site(self.state, base, patched, hosts)
