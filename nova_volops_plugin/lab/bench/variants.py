# SPDX-License-Identifier: Apache-2.0

"""The variants that several benchmarks compare."""

PATCHED = 'patched'
RELEASED = 'as released'


def bases(run):
    """Return the patched and the released base.

    :param run: a :class:`nova_volops_plugin.lab.bench.run.Run`
    :returns: a list of pairs of a name and a Deployment
    """
    return [(PATCHED, run.testbed.deployment(True)),
            (RELEASED, run.testbed.deployment(False))]


def more_volumes(run, servers):
    """Yield 1, 2, 4, 8 and 16 when each variant has attached so many volumes.

    :param run: a :class:`nova_volops_plugin.lab.bench.run.Run`
    :param servers: the UUID by variant
    """
    attached = 0
    for count in run.sizes(1, 2, 4, 8, 16):
        for number in range(attached, count):
            for variant, deployment in bases(run):
                deployment.attach(servers[variant], deployment.create_volume(
                    'bench-%d' % number))
        attached = count
        yield count
