# SPDX-License-Identifier: Apache-2.0

"""Derives the patches of some topics without the others.

Their patches are made from the series' own, one after the other on the
released base: each is merged three-way into what there is without the patches
left out. Lines that hold a maximum get the greater version, so that a
microversion or an RPC version means the same in every combination.
"""

import contextlib
import hashlib
import pathlib
import re
import tempfile

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import repository
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import formatting
from nova_volops_plugin.series import merge
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import replay
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import steps

# What says which version is the last one.
_MAXIMA = re.compile(
    r'nova/api/openstack/api_version_request\.py|'
    r'nova/(compute|conductor|scheduler)/(manager|rpcapi)\.py|'
    r'(doc|nova/tests/functional)/api_samples?(_tests)?/'
    r'(api_samples/)?versions/.*')


class Conflict(exceptions.VolopsError):
    """The patches of some topics cannot be made without those of others."""


class Merger(replay.Merger):
    """Merges files of many combinations; asks git as seldom as it can.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param series: the :class:`nova_volops_plugin.series.steps.Steps` whose
        files are merged
    """

    def __init__(self, git, series):
        super().__init__(git, _rules)
        self._merged = {}
        self._new = set()
        blobs = sorted({entry[1] for step in series
                        for both in step.changes.values()
                        for entry in both if entry} | {
            series.released[path][1] for step in series
            for path in step.changes if path in series.released})
        self._texts = dict(zip(blobs, git.objects(blobs)))

    def merge(self, path, base, ours, theirs):
        wanted = path, base, ours, theirs
        if wanted not in self._merged:
            self._merged[wanted] = super().merge(*wanted)
        return self._merged[wanted]

    def text(self, entry):
        return self._texts[entry[1]] if entry else b''

    def write(self, text):
        blob = hashlib.sha1(
            b'blob %d\0%s' % (len(text), text),
            usedforsecurity=False).hexdigest()
        if blob not in self._texts:
            self._texts[blob] = text
            self._new.add(blob)
        return blob

    def flush(self):
        """Write the new files into git."""
        self._git.write_blobs(self._texts[blob] for blob in self._new)
        self._new.clear()


def without(series, of_topics, names, labels, merger=None):
    """Make the steps of some topics without those of the others.

    :param series: a :class:`nova_volops_plugin.series.steps.Steps`
    :param of_topics: the topic of each step, a list
    :param names: the topics that are wanted, with all that they need
    :param labels: what each step is called in errors, a list
    :param merger: the :class:`Merger` of the series where there is one
    :returns: a :class:`nova_volops_plugin.series.replay.Replay`
    :raises Conflict: naming topics, patch and file
    """
    merger = merger or Merger(series.git, series)
    made = replay.Replay(merger, series.released)
    missing = {}
    for step, topic, label in zip(series, of_topics, labels):
        if topic not in names:
            for path in step.changes:
                missing.setdefault(path, {})[topic] = True
            continue
        count, conflicts = len(made.steps), []
        try:
            made.pick(step)
        except replay.Stopped as stopped:
            conflicts = stopped.conflicts
        if conflicts or len(made.steps) == count:
            raise Conflict(
                'without %s, %s of topic %s cannot be made: %s. Nothing was '
                'changed. Keep the hunks of the topics apart, or name what '
                '%s needs in the file "series"' % (
                    ', '.join(dict.fromkeys(
                        name for path in sorted(
                            {each.path for each in conflicts} or step.changes)
                        for name in missing.get(path, ()))),
                    label, topic, ', '.join(
                        'conflict in %s (%s)' % (each.path, each.why)
                        for each in conflicts) or 'nothing is left of it',
                    topic))
    merger.flush()
    return made


class Maker:
    """Makes the patches of combinations.

    :param git: a :class:`nova_volops_plugin.bases.git.Git` that has the
        release, and may get more objects
    :param start: the release's commit
    :param patches: the whole series, a list of
        :class:`nova_volops_plugin.series.patch.Patch`
    :param names: the topic of each, a list
    """

    def __init__(self, git, start, patches, names):
        self._git = git
        self._start = start
        self._patches = patches
        self._names = names
        self._steps = self._merger = None

    def patches(self, names):
        """Return the patches of some topics, a list.

        They are the series' own as far as none before them is left out.

        :param names: topics, with all that they need
        :raises Conflict: naming topics, patch and file
        :raises DoesNotApply: the series does not apply to the release
        """
        wanted = [name in names for name in self._names]
        same = (wanted + [False]).index(False)
        if not any(wanted[same:]):
            return self._patches[:same]
        if not self._steps:
            self._steps = steps.Steps(self._git, self._start, stack.commits(
                self._git, self._start, self._patches)[-1])
            self._merger = Merger(self._git, self._steps)
        made = without(
            self._steps, self._names, names,
            [patch.name for patch in self._patches], self._merger)
        return self._patches[:same] + self._written(made, wanted, same)

    def _written(self, made, wanted, same):
        """Return the patches that were made, but for the first ones."""
        files = [patch.name for patch, want in zip(self._patches, wanted)
                 if want]
        head = made.write(self._git, self._start)
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
            folder = pathlib.Path(folder)
            found = []
            for path, name in zip(formatting.write(
                    self._git, '%s~%d' % (head, len(files) - same), head,
                    folder / 'out'), files[same:], strict=True):
                found.append(series_patch.Patch(path.rename(folder / name)))
        return found


class Series:
    """A base's series, of which any combination of topics can be had.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param fetched: a function that returns the path of a git tree that has
        the released base; it is called where patches are made
    :raises BadInput: the series or a patch is malformed
    """

    def __init__(self, base, fetched=None):
        self.base = base
        self.all = series_patch.load(base)
        self.topics = series_file.SeriesFile.load(
            base.path / 'series').topics
        self._fetched = fetched
        self._made = {}

    def names(self, only=None):
        """Return topics with all that they need, in order.

        :param only: their names, by default those of all
        :raises BadInput: there is no such topic in this base
        """
        if only is None:
            return self.topics.with_needs(self.topics)
        self.topics.require(only, self.base)
        return self.topics.with_needs(only)

    def patches(self, names=None):
        """Return the patches of a combination, a list.

        :param names: what :meth:`names` returns, by default all
        :raises Conflict: naming topics, patch and file
        """
        if names is None or names == self.names():
            return self.all
        if names not in self._made:
            with self.maker() as maker:
                self._made[names] = maker.patches(names)
        return self._made[names]

    @contextlib.contextmanager
    def maker(self):
        """Yield a :class:`Maker` of all combinations."""
        with making(bases_git.isolated(self._fetched()), self.base, self.all,
                    self._topics()) as maker:
            yield maker

    def recorded(self, names):
        """Return the tree that base.conf records, None for none."""
        if names == self.names():
            return self.base.tree
        for name, tree in self.base.topics.items():
            if name in self.topics and \
                    self.topics.with_needs([name]) == names:
                return tree
        return None

    def own(self, names):
        """Return those of the series' patches that belong to some topics."""
        return [patch for patch, name in zip(self.all, self._topics())
                if name in names]

    def _topics(self):
        of_patches = self.topics.of_patches()
        return [of_patches.get(patch.name) for patch in self.all]


@contextlib.contextmanager
def making(fetched, base, patches, names):
    """Yield a :class:`Maker` that leaves the fetched tree alone.

    :param fetched: a :class:`nova_volops_plugin.bases.git.Git` that has the
        release
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param patches: as for :class:`Maker`, so are ``names``
    """
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        git = bases_git.bare(folder, (fetched,))
        yield Maker(git, repository.commit(fetched, base), patches, names)


def _rules(path):
    return (merge.neighbours, *(
        [merge.greater_version] if _MAXIMA.fullmatch(path) else []))
