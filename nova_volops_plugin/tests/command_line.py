# SPDX-License-Identifier: Apache-2.0

"""Runs the command line in this process, as a user would."""

import contextlib
import io

from nova_volops_plugin.cmd import app


def run(folder, *words):
    """Run ``nova-volops WORDS``; return its exit code, stdout and stderr.

    :param folder: the state folder
    """
    with contextlib.redirect_stdout(io.StringIO()) as out, \
            contextlib.redirect_stderr(io.StringIO()) as err:
        code = app.VolopsApp().run(['--state-dir', str(folder), *words])
    return code, out.getvalue(), err.getvalue()
