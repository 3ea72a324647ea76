# SPDX-License-Identifier: Apache-2.0

"""Selects the tests of the series that the gate runs."""

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.series import tested

# One functional test of so many runs: of a series that has changed, of one
# that has and is made of the same modules, and of one that passed them all or
# is not in the sample of bases.
SHARE, SHARE_OF_OLDER, SHARE_OF_TESTED = 4, 8, 16
# Modules of what has threads of its own.
POOLS = 'test_volume_copies_at_once|test_multiattach_attach_at_once'
# './run test' runs the first part, './run gate' both.
FIRST, REST, ALL = PARTS = 'first', 'rest', 'all'


def runs(base, part=ALL, root=None):
    """Return what is run of a base's tests.

    All unit tests run, and a share of the functional ones: they take too long
    to run all here. It is a small one where base.conf says that all passed
    with the present tree, and where another base has the same modules. Where
    Nova runs with two kinds of threads it is for the faster one; with the
    other, native ones that take twice as long, the tests of pools run. The
    older bases, whose modules are the same, run with one kind only, and those
    that are not in the sample of bases with a small share of functional tests.

    The first part is what the newest base runs with its default threads, and
    the functional tests of the base that the newest one's tree chooses.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param part: one of PARTS
    :param root: as in :func:`nova_volops_plugin.bases.base.names`
    :returns: a list of dict, each arguments of
        :func:`nova_volops_plugin.series.nova_tests.run`
    """
    newest, *_others = sample = nova_base.sample(root)
    found = []
    for mode in (base.modes if base.name == newest else
                 base.functional_modes[-1:]):
        if base.name in sample:
            found.append({'mode': mode, 'kinds': ('unit',), 'added': True})
        if mode not in base.functional_modes:
            continue
        if base.name not in sample or tested.is_current(base, mode):
            tests = {'share': SHARE_OF_TESTED}
        elif mode != base.functional_modes[-1]:
            tests = {'regex': POOLS}
        else:
            tests = {'share': SHARE if base.name == newest else SHARE_OF_OLDER}
        found.append({'mode': mode, 'kinds': ('functional',), **tests})

    def is_first(run):
        if base.name == newest:
            return run['mode'] == base.modes[0]
        return base.name == sample[1] and 'functional' in run['kinds']

    return [run for run in found
            if part == ALL or is_first(run) == (part == FIRST)]
