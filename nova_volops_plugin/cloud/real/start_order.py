# SPDX-License-Identifier: Apache-2.0

"""Runs units in parallel, in the order of their requirements."""

import concurrent.futures
import graphlib
import logging
import threading

from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# The machine's cores bound the work, this only the waiting.
_THREADS = 16


def forward(units):
    """Bring units up, each after those it requires.

    :param units: the :class:`units.Unit` objects; each requirement is one
    :raises VolopsError: the first failure; nothing new was begun after it
    """
    cancelled = threading.Event()

    def up(unit):
        unit.up(cancelled)
        return unit

    _run({unit.name: set(unit.requires) for unit in units},
         {unit.name: unit for unit in units}, up, cancelled,
         lambda unit: LOG.info('%s', unit.name))


def backward(units, spared=()):
    """End services, each before those it requires.

    :param units: all :class:`units.Unit` objects; steps are passed over
    :param spared: the names of services that go on
    """
    services = {unit.name: unit for unit in units
                if hasattr(unit, 'down') and unit.name not in spared}
    before = {name: set() for name in services}
    for name in services:
        for needed in _below(name, units):
            if needed in services:
                before[needed].add(name)
    _run(before, services, lambda unit: unit.down() or unit,
         threading.Event(), lambda unit: None)


def _below(name, units):
    """Return all that a unit requires, itself or through others."""
    requires = {unit.name: set(unit.requires) for unit in units}
    below, new = set(), requires[name]
    while new:
        below |= new
        new = set().union(*(requires[one] for one in new)) - below
    return below


def _run(before, units, work, cancelled, done):
    unknown = set().union(*before.values()) - set(units)
    if unknown:
        raise ValueError('nothing is called %s' % ', '.join(sorted(unknown)))
    sorter = graphlib.TopologicalSorter(before)
    sorter.prepare()
    running, failure = {}, None
    with concurrent.futures.ThreadPoolExecutor(_THREADS) as pool:
        try:
            while sorter.is_active() and not (failure and not running):
                if not failure:
                    for name in sorter.get_ready():
                        running[pool.submit(work, units[name])] = name
                for future in concurrent.futures.wait(
                        running, return_when='FIRST_COMPLETED')[0]:
                    sorter.done(running.pop(future))
                    try:
                        done(future.result())
                    except exceptions.VolopsError as error:
                        failure = failure or error
                        cancelled.set()
        except BaseException:
            cancelled.set()
            raise
    if failure:
        raise failure
