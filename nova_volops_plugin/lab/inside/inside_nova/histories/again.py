# SPDX-License-Identifier: Apache-2.0

"""Repeats a recorded history."""

import functools
import json

from oslo_log import log as logging

from inside_nova.histories import history
from inside_nova.histories import judge
from inside_nova.histories import operations
from inside_nova.histories import trouble

LOG = logging.getLogger(__name__)
# What the first step says; further ones are operations as others are.
_CREATE = 'on_volume', 'volume', 'mode', 'count'


def shows(nova, signature, steps, tries=10):
    """Return a history that shows again what was found, or None.

    :param nova: a :class:`cloud.HistoryNova` that is up
    :param signature: that of what was found, a str
    :param steps: as :func:`by_role` returns them
    :param tries: how often to make it, as requests at the same time do not
        always end in the same order
    """
    for _number in range(tries):
        try:
            one = _make(nova, steps)
        except Exception:
            # What it needs is not there without the steps that are left out.
            LOG.exception('the history cannot be made again')
            continue
        if any(each.signature == signature for each in one.record.findings):
            return one
    return None


def shortened(nova, signature, steps):
    """Return the steps of a history without those that are not needed.

    Nor have they troubles that are not. The release has other numbers of
    servers and of calls, so that it shows the same in few steps only.

    :param nova: a :class:`cloud.HistoryNova` that is up
    :param signature: that of what was found, a str
    :param steps: as :func:`by_role` returns them
    """
    for number in reversed(range(len(steps))):
        less = [[]]
        if steps[number].get('troubles'):
            less.append([dict(steps[number], troubles=[])])
        for instead in less:
            one = shows(nova, signature,
                        steps[:number] + instead + steps[number + 1:], 1)
            if one:
                steps = by_role(one)
                break
    return steps


def by_role(one):
    """Return the steps of a history, with roles in place of UUIDs."""
    text = json.dumps(one.record.steps)
    for uuid, role in one.roles.items():
        text = text.replace(uuid, '{%s}' % role)
    return json.loads(text)


def _make(nova, steps):
    nova.reset()
    one = nova.history = history.History(nova)
    for step in steps:
        word, *values = step['step']
        if word == 'create' and len(values) == len(_CREATE):
            do = functools.partial(one.create, *values)
        else:
            do = functools.partial(
                operations.do, one, operations.Operation(word, *values))
        one.step((word, *values), do, [
            _trouble(**each) for each in step.get('troubles', ())])
    judge.Judge(one).judge()
    return one


def _trouble(kind, nth, fault=None, call=None, rival=None, name=None):
    return trouble.Trouble(
        kind, nth, fault, rival and operations.Operation(*rival), name)
