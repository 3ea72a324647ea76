# SPDX-License-Identifier: Apache-2.0

"""The environment variables of a process of Nova's fixtures."""

import os
import pathlib

from nova_volops_plugin.bases import threads

INSIDE = pathlib.Path(__file__).parents[2] / 'lab/inside'


def of(nova, temporary):
    """Return them as a dict of str.

    :param nova: a :class:`nova_volops_plugin.series.nova.Nova`, which runs
        with the default threads of its base
    :param temporary: the folder for locks and temporary files
    """
    variables = {name: value for name, value in os.environ.items()
                 if not name.startswith(('OS_', 'PYTHON'))}
    variables.update({
        'LC_ALL': 'C.UTF-8',
        'OSLO_LOCK_PATH': str(temporary),
        'PYTHONDONTWRITEBYTECODE': '1',
        'PYTHONPATH': '%s%s%s' % (nova.tree, os.pathsep, INSIDE),
        'TMPDIR': str(temporary),
        **threads.environ(nova.base.modes[0]),
    })
    return variables
