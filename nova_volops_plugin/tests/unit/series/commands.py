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

"""Runs the command line in this process, as a user would."""

import contextlib
import io
import json

from nova_volops_plugin.cmd import app
from nova_volops_plugin.tests.unit.series import samples


class TestCase(samples.TestCase):

    def volops(self, *words):
        """Run ``nova-volops patch WORDS``; return exit code, out and err."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            volops = app.VolopsApp()
            volops.stdout, volops.stderr = out, err
            code = volops.run([
                '--state-dir', str(self.series.state.path), 'patch',
                *map(str, words), '--patches', str(self.series.root)])
        return code, out.getvalue(), err.getvalue()

    def json(self, *words):
        """Run a command that must succeed silently; return its data."""
        code, out, err = self.volops(*words, '-f', 'json')
        self.assertEqual((0, ''), (code, err))
        return json.loads(out)
