# SPDX-License-Identifier: Apache-2.0

"""Runs the command line in this process, as a user would."""

import contextlib
import io

import fixtures
import testtools

from nova_volops_plugin.cmd import app


def run(folder, *words):
    """Run ``nova-volops WORDS``; return exit code, out and err.

    :param folder: that of the state
    """
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = app.main(['--state-dir', str(folder), *words])
        except SystemExit as stop:
            code = stop.code
    return code, out.getvalue(), err.getvalue()


class TestCase(testtools.TestCase):
    """With a folder of the state."""

    def setUp(self):
        super().setUp()
        self.folder = self.useFixture(fixtures.TempDir()).path

    def volops(self, *words):
        return run(self.folder, *words)
