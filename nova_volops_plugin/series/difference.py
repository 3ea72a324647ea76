# SPDX-License-Identifier: Apache-2.0

"""Merges the difference between two series into another one.

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
    message both series changed: the other one keeps its own. ``corrected``
    are pairs of a file and the subject of a patch that had to undo what was
    merged wrongly into the file before.
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
        self.corrected = []

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
            if own and old and new:
                files = {
                    path: functools.partial(self._changed, step.key, path)
                    for path in {**own.changes, **old.changes, **new.changes}}
            else:
                files = {path: functools.partial(
                    self._picked, path, *entries)
                    for path, entries in step.changes.items()}
            if settled is not None:
                self._find_corrections(step, files, settled)
                self._replay.become(step, settled)
            else:
                self._replay.make(step, files)
        return self._replay

    def _order(self):
        """Return the keys of the other series' steps in their new order.

        A step that only the other series has stays between those around it.
        Where these went apart it is with the later one, for what it needs
        comes before it.
        """
        order = [step.key for step in self._new
                 if self._own.get(step.key) or not self._old.get(step.key)]
        keys = [step.key for step in self._own]
        for number, key in enumerate(keys):
            if self._old.get(key) or self._new.get(key):
                continue
            before = next((order.index(each) + 1
                           for each in reversed(keys[:number])
                           if each in order), 0)
            after = next((order.index(each) for each in keys[number + 1:]
                          if each in order), len(order))
            order.insert(max(before, after), key)
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

    def _find_corrections(self, step, files, settled):
        """Note the files that were not merged into what they have to be."""
        for path, entry in settled.items():
            try:
                merged = files[path]() if path in files else \
                    self._replay.entry(path)
            except replay.Unmerged:
                continue
            if merged != entry:
                self.corrected.append((path, step.subject))

    def _picked(self, path, before, after):
        return self._merger.merge(
            path, before, self._replay.entry(path), after)

    def _changed(self, key, path):
        """Return the entry of a file after a patch that both series have."""
        present = self._replay.entry(path)
        old, new, own = (
            (each.before(key, path), each.after(key, path))
            for each in (self._old, self._new, self._own))
        merge_file = functools.partial(self._merger.merge, path)

        def keep():
            """Make the own patch."""
            return merge_file(own[0], present, own[1])

        def take():
            """Make the new patch, then what the own one has besides."""
            return merge_file(merge_file(old[0], own[0], old[1]),
                              merge_file(new[0], present, new[1]), own[1])

        def differ():
            """Make the own patch, then what the new one has besides.

            What was in conflict in the changed series has been resolved
            there.
            """
            known = [self._merger.resolutions(
                old[0], new[0], old[1], new[1])]
            return merge_file(merge_file(old[0], new[0], old[1], known),
                              merge_file(own[0], present, own[1], known),
                              new[1])

        def follow():
            """Go to the new file with what the own one has besides."""
            return merge_file(old[1], own[1], new[1])

        ways = [take, differ]
        if self._lines.of(old) == self._lines.of(new):
            ways.insert(0, keep)
        # What patches before have become is in no other file.
        if present == own[0]:
            ways.append(follow)
        for way in ways:
            try:
                return way()
            except replay.Unmerged:
                pass
        # Of all conflicts this one shows what is there and what it becomes.
        return follow() if present == own[0] else merge_file(
            new[0], present, new[1])
