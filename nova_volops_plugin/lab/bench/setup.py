# SPDX-License-Identifier: Apache-2.0

"""A demo is set up: from nothing, and with everything there."""

import os
import pathlib
import shutil
import tempfile

from nova_volops_plugin.lab.bench import programs
from nova_volops_plugin import machine

NAME = 'setup'
TITLE = 'Set-up of a demo'
AXIS = 'hosts'
PROFILES = ('embedded',)
HOSTS = 2
COLD = 'from nothing'
WARM = 'with everything there'
REPOSITORY = pathlib.Path(__file__).parents[3]
LIMIT = (
    'Both run from a clone until Nova is ready for the first request. From '
    'nothing there is neither tox, nor a cache of pip, nor anything of this '
    'tool, so that the network is measured as well. "Tool seconds" is what it '
    'takes until the tool runs, "cloud seconds" what it needs from there: the '
    'packages that Nova needs are all pinned, and pip installs them one by '
    'one. "Idle seconds" is how long a processor of the machine had nothing '
    'to do meanwhile, on average. With everything there what is left is tox, '
    'and the start that the benchmark of that name measures.')


def run(run):
    if not (REPOSITORY / 'run').exists():
        run.skip('the tool runs from an installed package; the set-up is '
                 'that of a clone of its repository.')
        return
    with tempfile.TemporaryDirectory(
            prefix='setup-', dir=run.testbed.state.bench) as folder:
        for variant in run.alternate([COLD, WARM], warm_up=False):
            _measure(run, variant, pathlib.Path(folder))


def _measure(run, variant, folder):
    clone, cache = folder / 'clone', folder / 'cache'
    if variant == COLD:
        for path in (clone, cache):
            shutil.rmtree(path, ignore_errors=True)
        programs.do('git', 'clone', '--quiet', REPOSITORY, clone)

    def tool(*words):
        programs.do(clone / 'run', 'nova-volops', *words, env=_environ(cache))

    base = run.testbed.base.name
    idle = machine.idled()
    try:
        tool_seconds, tool_processor = programs.timed(
            lambda: tool('patch', 'list', base))
        cloud_seconds, cloud_processor = programs.timed(
            lambda: tool('cloud', 'up', '--base', base,
                         '--hosts', str(HOSTS)))
        idle = machine.idled() - idle
    finally:
        if (cache / 'nova-volops' / 'clouds').exists():
            tool('cloud', 'down')
    run.add(variant, HOSTS, tool_seconds + cloud_seconds,
            tool_seconds=tool_seconds, cloud_seconds=cloud_seconds,
            processor_seconds=tool_processor + cloud_processor,
            idle_seconds=idle)


def _environ(cache):
    """Return an environment in which nothing has been fetched yet."""
    environ = {name: value for name, value in os.environ.items()
               if not name.startswith(('NOVA_VOLOPS_', 'TOX_'))}
    return {**environ, 'XDG_CACHE_HOME': str(cache),
            # What virtualenv seeds from.
            'XDG_DATA_HOME': str(cache), 'PIP_NO_CACHE_DIR': '1'}
