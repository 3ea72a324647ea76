# SPDX-License-Identifier: Apache-2.0

"""Brings what changed in one series to another one of the same changes.

The other one may be that of another base, or the same one on another commit.
Of each patch the difference between its old and its new state is merged into
the other series' own patch, so that what that one does otherwise stays.
"""

import dataclasses
import functools

from nova_volops_plugin.series import replay
from nova_volops_plugin.series import steps


def touched(old, new):
    """Return the files whose content matters to what changed in a series.

    :param old: the :class:`nova_volops_plugin.series.steps.Steps` of the
        series as it was
    :param new: those as it is now
    :returns: a set of paths; the others are the same after each patch
    """
    found = set()
    for key in old.number.keys() | new.number.keys():
        before, after = (
            step.changes if step else {}
            for step in (old.get(key), new.get(key)))
        found |= {path for path in before.keys() | after.keys()
                  if before.get(path) != after.get(path)}
    return found


class Difference:
    """What changed in a series, to be brought to another one.

    :param old: the :class:`nova_volops_plugin.series.steps.Steps` of the
        series as it was
    :param new: those as it is now
    :param own: those of the series to which the difference is brought
    :param resolutions: as in
        :class:`nova_volops_plugin.series.replay.Replay`
    :param lines: a :class:`nova_volops_plugin.series.steps.Lines` that several
        share

    All are in one repository. ``kept`` are the subjects of the patches whose
    message both series changed: the other one keeps its own.
    """

    def __init__(self, old, new, own, resolutions=None, lines=None):
        self._old = old
        self._new = new
        self._own = own
        self._merger = replay.Merger(own.git)
        self._replay = replay.Replay(
            self._merger, own.released, resolutions)
        self._made = set()
        self._lines = lines or steps.Lines(own.git)
        self.kept = []

    def run(self):
        """Make the other series' steps anew.

        :returns: the :class:`nova_volops_plugin.series.replay.Replay`
        :raises Stopped: a step has conflicts
        """
        for key in self._order():
            own, old, new = (each.get(key) for each in (
                self._own, self._old, self._new))
            step = self._worded(own, old, new)
            self._made.add(key)
            settled = self._settled(new)
            if settled is not None:
                self._replay.become(step, settled)
            elif own and old and new and not self._lines.same(old, new):
                self._change(step, own, old, new)
            else:
                self._replay.pick(step)
        return self._replay

    def _order(self):
        """Return the keys of the other series' steps in their new order."""
        order = [step.key for step in self._new
                 if self._own.get(step.key) or not self._old.get(step.key)]
        before = None
        for step in self._own:
            if not self._old.get(step.key) and not self._new.get(step.key):
                order.insert(
                    order.index(before) + 1 if before else 0, step.key)
            if step.key in order:
                before = step.key
        return order

    def _worded(self, own, old, new):
        """Return the step to make, with the message that it gets."""
        if not own or not new:
            return own or new
        if not old or old.message == new.message:
            return own
        message = new.message
        if own.message != old.message:
            text, left = self._merger.merge_texts(
                old.message, own.message, new.message)
            message = own.message if left else text
            if left:
                self.kept.append(own.subject)
        return dataclasses.replace(
            own, message=message, subject=message.partition('\n')[0])

    def _settled(self, new):
        """Return the state where the change so far is none of the files.

        Patches that were split, put together or reordered lead to files that
        the series had before; so they do in the other series.

        :param new: the step that is made, None for one that only the other
            series has
        :returns: a dict of path and entry, None where files have changed
        """
        until = set()
        for step in self._old if new else ():
            until.add(step.key)
            if step.tree != new.tree:
                continue
            both = {key for key in until if self._own.get(key)}
            gone = {key for key in both if not self._new.get(key)}
            if both - gone != {key for key in self._made
                               if self._old.get(key)}:
                continue
            done = gone | {key for key in self._made if self._own.get(key)}
            if done == {each.key for each in self._own.steps[:len(done)]}:
                return self._own.state(len(done))
        return None

    def _change(self, step, own, old, new):
        self._replay.make(step, {
            path: functools.partial(self._changed, step.key, path)
            for path in {**own.changes, **old.changes, **new.changes}})

    def _changed(self, key, path):
        """Return the entry of a file after a patch that was changed."""
        present = self._replay.entry(path)
        old, new, own = (
            (each.before(key, path), each.after(key, path))
            for each in (self._old, self._new, self._own))
        conflict = None
        for before, ours in self._ways(path, present, old, new, own):
            try:
                return self._merger.merge(path, before, ours, new[1])
            except replay.Unmerged as error:
                conflict = error
        # The last one is of what the other series' patch leads to.
        raise conflict

    def _ways(self, path, present, old, new, own):
        """Yield what the changed patch's file is merged with, the best first.

        :param present: the entry before the patch
        :param old: the entries before and after the patch as it was
        :param new: the same of the patch as it is now
        :param own: the same of the other series' patch
        :returns: pairs of the merge's base and its other side
        """
        merge = functools.partial(self._merger.merge, path)
        if old == new:
            yield new[1], merge(own[0], present, own[1])
            return
        same = self._lines.of(old) == self._lines.of(own)
        if same:
            yield new[0], present
        try:
            picked = merge(own[0], present, own[1])
        except replay.Unmerged:
            if same:
                return
            raise
        try:
            before = merge(old[0], new[0], old[1])
        except replay.Unmerged:
            before = old[1]
        yield before, picked
