# SPDX-License-Identifier: Apache-2.0

"""Checks that only the owners of volumes are connected to them."""

from inside_nova.histories import disks

# What gives a guest its disks anew.
_BOOTS = ('reboot-hard', 'start', 'unshelve', 'rebuild')
# What the series does even where a host fails to let go.
OF_THE_SERIES = ('swap', 'swap-without-copy', 'retype', 'rebuild',
                 'reboot-hard', 'clean-up', 'age', 'detach')


def broken(history, troubles):
    """Yield what is wrong after a step: kind and text.

    :param history: a :class:`history.History`
    :param troubles: the step's, each a :class:`trouble.Trouble`
    """
    yield from history.others.broken()
    yield from _stolen(history, troubles)
    yield from _connected(history, troubles)


def _stolen(history, troubles):
    """No guest is started with a volume that somebody else has."""
    if history.record.word not in _BOOTS or troubles or not all(
            answer.code < 300 for answer in history.answers):
        return
    for disk in disks.of_guests(history):
        if disk.volume in history.others.had and not (
                history.nova.rules.attachments(disk.volume, disk.server)):
            yield 'stolen', '%s was started with %s, which others have' % (
                history.roles.get(disk.server), history.roles.get(disk.volume))


def _connected(history, troubles):
    """No host is connected to a volume that was given back."""
    past, rules = history.past, history.nova.rules
    if past.stopped or past.local_deletion or (
            not past.tells_all and
            history.record.word not in OF_THE_SERIES and
            any(each.kind == 'host' for each in troubles)):
        return
    for host, server, volume in sorted(
            history.nova.host_faults.connected, key=str):
        if volume in rules._volumes and (
                volume in history.others.had or
                rules.status(volume) == 'available') and not (
                    (server, volume) in history.nova.removed or
                    rules.attachments(volume, server)):
            yield 'connected', '%s is free, and a host is connected for %s' % (
                history.roles.get(volume), history.roles.get(server))
