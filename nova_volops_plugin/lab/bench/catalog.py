# SPDX-License-Identifier: Apache-2.0

"""The benchmarks: one module each."""

from nova_volops_plugin.cloud import profiles
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.bench import cleanup
from nova_volops_plugin.lab.bench import multi_create
from nova_volops_plugin.lab.bench import reboot
from nova_volops_plugin.lab.bench import rebuild
from nova_volops_plugin.lab.bench import swap
from nova_volops_plugin.lab.bench import unshelve

BENCHMARKS = (
    reboot,
    multi_create,
    swap,
    unshelve,
    cleanup,
    rebuild,
)


def choose(names, profile=profiles.DEFAULT):
    """Return the benchmarks of these names, all when there are none.

    :param profile: the kind of cloud
    :raises BadInput: there is no benchmark of a name for such a cloud
    """
    profiles.get(profile)
    known = {benchmark.NAME: benchmark for benchmark in BENCHMARKS
             if profile in benchmark.PROFILES}
    for name in names:
        if name not in known:
            raise exceptions.BadInput(
                'there is no benchmark %r of the profile %s; there are: %s' %
                (name, profile, ', '.join(known) or 'none'))
    return [benchmark for name, benchmark in known.items()
            if not names or name in names]
