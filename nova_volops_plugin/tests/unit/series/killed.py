# SPDX-License-Identifier: Apache-2.0

"""An apply or revert that kills itself right before one of its steps."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

from nova_volops_plugin.bases import base
from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import git
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import installed

# What makes the tree, and which calls are its steps.
_KINDS = {
    'git': (
        lambda path: checkout.Checkout(path, git.isolated(path)),
        ((git.Git, 'run'), (os, 'replace'), (pathlib.Path, 'unlink'),
         (files, 'write_whole'))),
    'files': (
        installed.Installed,
        ((os, 'replace'), (pathlib.Path, 'unlink'), (shutil, 'copy2'),
         (shutil, 'rmtree'))),
}


def run(kind, series, path, action, step):
    """Run ``action`` on a tree of base ``one`` in a process of its own.

    :param action: ``apply`` or ``revert``, with topics such as
        ``apply:fixes,shelved``
    :param step: the number of the step before which it is killed
    :returns: whether it was, False when it ended before
    """
    done = subprocess.run(
        [sys.executable, '-m', __name__, kind, str(path), str(series.root),
         action, str(step)], capture_output=True, text=True,
        env=dict(os.environ, TMPDIR=str(series.top)))
    if done.returncode not in (0, -signal.SIGKILL):
        raise AssertionError(done.stderr)
    return done.returncode != 0


def main(kind, path, root, action, step):
    steps_left = int(step)

    def counted(function):
        def call(*args, **kwargs):
            nonlocal steps_left
            steps_left -= 1
            if not steps_left:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **kwargs)
        return call

    open_tree, calls = _KINDS[kind]
    for owner, name in calls:
        setattr(owner, name, counted(getattr(owner, name)))
    action, _sign, only = action.partition(':')
    getattr(open_tree(pathlib.Path(path)), action)(
        base.Base.load('one', root), only.split(',') if only else None,
        lambda: pathlib.Path(root).parent / 'state/trees/one')


if __name__ == '__main__':
    main(*sys.argv[1:])
