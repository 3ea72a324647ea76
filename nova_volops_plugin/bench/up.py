# SPDX-License-Identifier: Apache-2.0

"""A cloud is started: when each of its parts is ready."""

import time

from nova_volops_plugin.bench import embedded
from nova_volops_plugin.bench import machine
from nova_volops_plugin.cloud import profiles
from nova_volops_plugin import exceptions

NAME = 'up'
TITLE = 'Start of a cloud with everything fetched'
AXIS = 'hosts'
PROFILES = ('embedded', 'real')
HOSTS = 2
READY = 'ready'
LIMIT = (
    'The work of the processors. "Idle seconds" is how long a processor of '
    'the machine had nothing to do meanwhile, on average: what waiting costs '
    'at most. The embedded cloud imports Nova and makes its databases in one '
    'process, so half of two processors is idle at least; it is asked five '
    'times a second whether it is ready. The services of the real one start '
    'as soon as those that they need are ready.')


def run(run):
    kind = embedded.MeasuredCloud if run.testbed.profile == profiles.DEFAULT \
        else profiles.get(run.testbed.profile)
    cloud = kind(run.testbed.state, run.testbed.base, hosts=HOSTS)
    if any(service.state != 'down' for service in cloud.status()):
        raise exceptions.BadInput(
            'this cloud is up; stop it by "nova-volops cloud down --profile '
            '%s"' % run.testbed.profile)
    for _way in run.alternate([READY]):
        steps = []
        started = time.monotonic()
        idle = machine.idled()
        try:
            cloud.up(lambda text: steps.append(
                (text.partition(' at ')[0], time.monotonic() - started)))
            taken = time.monotonic() - started
            extra = {'idle_seconds': machine.idled() - idle,
                     **_processor(cloud)}
        finally:
            cloud.down()
        for text, seconds in steps:
            # The paths of this machine are no steps.
            if '/' not in text and text != READY:
                run.add(text, HOSTS, seconds)
        run.add(READY, HOSTS, taken, **extra)


def _processor(cloud):
    if not isinstance(cloud, embedded.MeasuredCloud):
        return {}
    times = cloud.process_times()
    return {'processor_seconds': times.user + times.system}
