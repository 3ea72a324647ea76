# SPDX-License-Identifier: Apache-2.0

"""The series is put on a tree, proven and written, beside git and quilt."""

import contextlib
import os
import pathlib
import shutil
import tempfile

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import repository
from nova_volops_plugin.lab.bench import programs
from nova_volops_plugin.series import patch
from nova_volops_plugin.series import tree

NAME = 'series'
TITLE = 'The series on a tree'
AXIS = 'patches'
PROFILES = ('embedded',)
FETCH = 'patch fetch'
APPLY = 'patch apply'
VERIFY = 'patch verify'
VERIFY_ALL = 'patch verify, all bases'
EXPORT = 'patch export'
QUILT = 'quilt push -a'
GIT = 'git am'
LIMIT = (
    '"git am" makes a commit for each patch and writes the files each time. '
    '"patch apply" makes the same commits in memory, has git write them at '
    'once, proves the tree by its id and changes the files once; it checks '
    'first that the user has changed nothing. "patch verify" does so without '
    'commits and files, one base a processor at a time; the start of Python '
    'is in its seconds. "patch fetch" unpacks the source distribution and '
    'makes a commit of it; it is the part of a first demo that neither waits '
    'for the network nor for pip.')


def run(run):
    testbed = run.testbed
    base = testbed.base
    patches = patch.load(base)
    sizes = {VERIFY_ALL: sum(
        len(patch.load(each)) for each in nova_base.load_all())}
    fetched = tree.fetch(testbed.state, base)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(
            prefix='series-', dir=testbed.state.bench)))
        copy = folder / 'nova-patches'
        shutil.copytree(base.path.parent, copy)
        clone = folder / 'tree'
        programs.do('git', 'clone', '--quiet', '--local', fetched, clone)
        released = repository.tag(base)
        files = [base.path / each.name for each in patches]

        def tool(*words):
            programs.do(*programs.TOOL, '--state-dir', testbed.state.path,
                        'patch', *words)

        def fetch():
            state = folder / 'state'
            state.mkdir()
            (state / 'sdists').symlink_to(testbed.state.sdists)
            programs.do(*programs.TOOL, '--state-dir', state, 'patch', 'fetch',
                        base.name)

        variants = {
            FETCH: fetch,
            VERIFY: lambda: tool('verify', base.name),
            VERIFY_ALL: lambda: tool('verify'),
            APPLY: lambda: tool('apply', base.name, '--tree', clone),
            # Of what "apply" has just made.
            EXPORT: lambda: tool('export', base.name, '--tree', clone,
                                 '--patches', copy),
        }
        if shutil.which('quilt'):
            variants[QUILT] = lambda: programs.do(
                'quilt', 'push', '-a', '-q', cwd=clone, env=dict(
                    os.environ, QUILT_PATCHES=str(base.path),
                    QUILT_SERIES='series', QUILT_PC=str(folder / 'pc')))
        else:
            run.skip('quilt is not installed.')
        variants[GIT] = lambda: programs.do(
            'git', '-c', 'user.name=bench', '-c', 'user.email=bench@localhost',
            'am', '--quiet', *files, cwd=clone)
        for variant in run.alternate(variants):
            if variant != EXPORT:
                programs.do('git', 'reset', '--quiet', '--hard', released,
                            cwd=clone)
                shutil.rmtree(folder / 'pc', ignore_errors=True)
                programs.do('git', 'clean', '--quiet', '-fd', cwd=clone)
            seconds, processor = programs.timed(variants[variant])
            run.add(variant, sizes.get(variant, len(patches)), seconds,
                    processor_seconds=processor)
            shutil.rmtree(folder / 'state', ignore_errors=True)
