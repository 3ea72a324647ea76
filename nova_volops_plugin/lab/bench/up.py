# SPDX-License-Identifier: Apache-2.0

"""A cloud is started: when each of its parts is ready."""

import logging
import time

from nova_volops_plugin.cloud import profiles
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.bench import embedded
from nova_volops_plugin import machine

_LOGGER = logging.getLogger('nova_volops_plugin')

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
        steps = _Steps()
        started = time.monotonic()
        idle = machine.idled()
        try:
            with steps:
                cloud.up()
            taken = time.monotonic() - started
            extra = {'idle_seconds': machine.idled() - idle,
                     **_processor(cloud)}
        finally:
            cloud.down()
        for text, when in steps.told:
            # The paths of this machine are no steps.
            if '/' not in text and text != READY:
                run.add(text, HOSTS, when - started)
        run.add(READY, HOSTS, taken, **extra)


class _Steps(logging.Handler):
    """Keeps what the tool says that it does, and when."""

    def __init__(self):
        super().__init__()
        self.told = []

    def __enter__(self):
        _LOGGER.addHandler(self)

    def __exit__(self, *exc_info):
        _LOGGER.removeHandler(self)

    def emit(self, record):
        self.told.append((record.getMessage().partition(' at ')[0],
                          time.monotonic()))


def _processor(cloud):
    if not isinstance(cloud, embedded.MeasuredCloud):
        return {}
    times = cloud.process_times()
    return {'processor_seconds': times.user + times.system}
