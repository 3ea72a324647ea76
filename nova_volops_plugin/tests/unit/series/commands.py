# SPDX-License-Identifier: Apache-2.0

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
