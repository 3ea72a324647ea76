# SPDX-License-Identifier: Apache-2.0

"""The ways that several benchmarks compare."""

PATCHED = 'patched'
RELEASED = 'as released'


def bases(run):
    """Return the patched and the released base.

    :param run: a :class:`nova_volops_plugin.bench.run.Run`
    :returns: a list of pairs of a name and a Deployment
    """
    return [(PATCHED, run.testbed.deployment(True)),
            (RELEASED, run.testbed.deployment(False))]


def more_volumes(run, servers):
    """Yield 1, 2, 4, 8 and 16 once a server of each way has so many volumes.

    :param run: a :class:`nova_volops_plugin.bench.run.Run`
    :param servers: the UUID by way
    """
    attached = 0
    for count in run.points(1, 2, 4, 8, 16):
        for number in range(attached, count):
            for way, deployment in bases(run):
                deployment.attach(servers[way], deployment.create_volume(
                    'bench-%d' % number))
        attached = count
        yield count
