# SPDX-License-Identifier: Apache-2.0

"""Carries changes in one base's series to the other bases.

What changed is told by the last commit of the repository that holds the
series. The commits are made in a repository of its own below the state folder,
and the series are written when no base has a conflict any more. Until then a
record there keeps what each conflict became: to go on is to do all of it again
with these.
"""

from concurrent import futures
import dataclasses
import json
import logging
import os
import pathlib
import shutil
import tempfile

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import lock
from nova_volops_plugin.bases import repository
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import conflicts
from nova_volops_plugin.series import difference
from nova_volops_plugin.series import export
from nova_volops_plugin.series import misfits
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import renumber
from nova_volops_plugin.series import replay
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import steps as series_steps
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Conflict:
    """A file that has to be merged by hand.

    :param base: the name of the base to which the change is brought
    :param subject: that of the patch
    :param file: the :class:`pathlib.Path` of the file to be edited
    :param path: in Nova's tree
    :param places: a list of :class:`conflicts.Place`
    :param why: a few words
    :param elsewhere: what the patch of the same change leads to in that file
        in other bases: a dict of base name and list of
        :func:`conflicts.hunks`, only of those whose patch touches it
    """

    base: str
    subject: str
    file: pathlib.Path
    path: str
    places: list
    why: str
    elsewhere: dict


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How far it is.

    :param source: the name of the base whose change it is
    :param conflicts: a list of :class:`Conflict`; where there is one, nothing
        has been written
    :param changed: a list of base name, what happened to a patch
        (``changed``, ``added``, ``deleted``) and its subject
    :param kept: a list of base name and subject of each patch whose message
        is not the same in both bases and changed: it stays as it was
    :param corrected: a list of base name, path and subject of each patch that
        undoes what an earlier one was merged into
    :param misfits: a list of base name, path, line and what is wrong there, of
        what the changed patches use and the base lacks
    :param written: the names of the files that were written
    """

    source: str
    conflicts: list
    changed: list = dataclasses.field(default_factory=list)
    kept: list = dataclasses.field(default_factory=list)
    corrected: list = dataclasses.field(default_factory=list)
    misfits: list = dataclasses.field(default_factory=list)
    written: list = dataclasses.field(default_factory=list)


class Carry:
    """Brings a change to other bases.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param root: as in :func:`nova_base.names`
    """

    def __init__(self, state, root=None):
        self._state = state
        self._root = pathlib.Path(root or patches_folder.root()).absolute()
        self._folder = state.path / 'carry'
        self._record = self._folder / 'record.json'
        self._kept = bases_git.Git(self._root)
        self._made = bases_git.isolated(self._folder / 'git')

    def locked(self):
        """Keep other processes of this tool from carrying, too."""
        return lock.hold(self._state.trees / '.carry.lock')

    def begin(self, source=None, to=()):
        """Bring the change of a base since the last commit to others.

        :param source: the base's name, by default that of the one that has
            changed
        :param to: the names of the others, by default all
        :returns: an :class:`Outcome`
        :raises BadInput: one is under way, nothing or more than one base has
            changed, or the folder of the bases is in no git repository
        """
        if self._record.is_file():
            raise exceptions.BadInput(
                'a change is being carried already; go on with --continue, '
                'or give it up by --abort')
        names = nova_base.names(self._root)
        for name in filter(None, (source, *to)):
            nova_base.Base.load(name, self._root)
        commit = self._last_commit()
        changed = self._changed_bases(commit, names)
        source = source or self._only(changed)
        if source not in changed:
            raise exceptions.BadInput(
                'the series of %s has not changed since the last commit' %
                source)
        if source in to:
            raise exceptions.BadInput(
                'the change of %s cannot be carried to itself' % source)
        others = [name for name in names if name != source]
        shutil.rmtree(self._folder, ignore_errors=True)
        try:
            return self._go({
                'commit': commit, 'source': source,
                'to': [name for name in others if not to or name in to],
                'conflicts': None, 'resolutions': {}})
        finally:
            if not self._record.is_file():
                shutil.rmtree(self._folder, ignore_errors=True)

    def go_on(self):
        """Go on with the files as they were edited.

        Those that had no conflict may have been edited, too.

        :returns: an :class:`Outcome`
        :raises BadInput: nothing is under way, or there are conflict marks
        """
        record = self._read()
        stopped = record['conflicts']
        work = self._folder / stopped['base']
        marked = [path for path in stopped['paths']
                  if (work / path).is_file() and
                  conflicts.marked((work / path).read_bytes())]
        if marked:
            raise exceptions.BadInput(
                'there are conflict marks in %s; edit them in %s first' %
                (', '.join(marked), work))
        record['resolutions'].setdefault(stopped['base'], []).extend(
            [stopped['key'], path, entry] for path, entry in
            self._edited(work, stopped['tree'], stopped['paths']).items())
        return self._go(record)

    def _edited(self, work, tree, paths):
        """Return the entries of the files that were edited, None if deleted.

        :param work: the folder where they were laid out
        :param tree: the id of the tree of what was laid out
        :param paths: those whose entries are wanted in any case
        """
        with stack.index(self._made, tree) as with_index:
            before = _entries(with_index)
            with_index.using(GIT_WORK_TREE=str(work)).run('add', '--all')
            after = _entries(with_index)
        return {path: after.get(path)
                for path in sorted(before.keys() | after.keys() | set(paths))
                if path in paths or before.get(path) != after.get(path)}

    def abort(self):
        """Give up; no series was changed.

        :raises BadInput: nothing is under way
        """
        self._read()
        shutil.rmtree(self._folder)

    def _go(self, record):
        source = nova_base.Base.load(record['source'], self._root)
        others = [nova_base.Base.load(name, self._root)
                  for name in record['to']]
        self._prepare([source, *others])
        LOG.info('reading the series of %s and %d other bases',
                 source.name, len(others))
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder, \
                futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            before = self._before(record['commit'], source, folder)
            old, new, *own_steps = pool.map(
                self._steps, (before, source, *others))
        touched = difference.touched(old, new)
        lines = series_steps.Lines(self._made)
        outcome = Outcome(source.name, [])
        sources = []
        for base, own in zip(others, own_steps):
            LOG.info('carrying the change to %s', base.name)
            numbers = renumber.between(source, base)
            carried = difference.Difference(
                old.renumbered(numbers, touched),
                new.renumbered(numbers, touched), own, {
                    (key, path): entry and tuple(entry) for key, path, entry
                    in record['resolutions'].get(base.name, ())}, lines)
            try:
                done = carried.run()
            except replay.Stopped as stopped:
                return self._stop(record, base, stopped)
            head = done.write(self._made, own.start)
            sources.append(export.Source(
                base, self._made, checkout.Checkout(
                    self._made.path, self._made), own.start, head))
            outcome.changed.extend(
                (base.name, *each)
                for each in _changes(own, done.steps, lines))
            outcome.kept.extend(
                (base.name, subject) for subject in carried.kept)
            outcome.corrected.extend(
                (base.name, *each) for each in carried.corrected)
            outcome.misfits.extend((base.name, *each) for each in (
                misfits.find_new(self._made, head, own.end, new.end)))
        LOG.info('writing the series')
        outcome.written.extend(export.export_all(sources, self._root))
        shutil.rmtree(self._folder)
        return outcome

    def _before(self, commit, base, folder):
        """Return a base as it was at a commit; write its files to a folder."""
        path = pathlib.Path(folder) / base.name
        path.mkdir()
        for file, text in self._files(commit, base.name).items():
            (path / file).write_bytes(text)
        old = nova_base.Base.load(base.name, folder)
        if old.base_tree != base.base_tree:
            raise exceptions.BadInput(
                '%s was of nova %s at the last commit and is of nova %s now; '
                'commit that first' % (base.name, old.version, base.version))
        return old

    def _steps(self, base):
        """Return the steps of a base's series; check what they lead to."""
        start = self._made.line('rev-parse', repository.tag(base))
        heads = stack.commits(self._made, start, series_patch.load(base))
        steps = series_steps.Steps(self._made, start, [start, *heads][-1])
        if heads and steps.steps[-1].tree != base.tree:
            raise exceptions.BadInput(
                'the patches of %s do not give the tree that base.conf '
                'records; write them by "nova-volops patch export %s" first' %
                (base.path, base.name))
        return steps

    def _files(self, commit, name):
        """Return a base's files at a commit: a dict of name and bytes."""
        listed = [record.split('\t', 1) for record in self._kept.lines(
            'ls-tree', '-z', '--full-tree', '%s:./%s' % (commit, name))]
        blobs = {file: fields.split()[2] for fields, file in listed
                 if file.endswith('.patch') or file in (
                     'base.conf', 'series')}
        return dict(zip(blobs, self._kept.objects(blobs.values())))

    def _changed_bases(self, commit, names):
        """Return the names of the bases whose patches have changed.

        That others were added and that theirs have other numbers is no change.
        """
        changed = []
        for name in names:
            if not self._kept.succeeds(
                    'cat-file', '-e', '%s:./%s/series' % (commit, name)):
                continue
            old = self._files(commit, name)
            with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
                path = pathlib.Path(folder) / 'series'
                path.write_bytes(old['series'])
                before = [old.get(file) for file in
                          series_file.SeriesFile.load(path).patches]
            folder = self._root / name
            after = [files.read(folder / file) for file in
                     series_file.SeriesFile.load(folder / 'series').patches]
            if before != after:
                changed.append(name)
        if not changed:
            raise exceptions.BadInput(
                'no series has changed since the last commit; write the '
                'change by "nova-volops patch export BASE" first, and carry '
                'it before it is committed')
        return changed

    def _only(self, changed):
        if len(changed) > 1:
            raise exceptions.BadInput(
                'the series of %s have changed since the last commit; name '
                'the one whose change is carried with --from' %
                ', '.join(changed))
        return changed[0]

    def _last_commit(self):
        done = self._kept.attempt('rev-parse', '--verify', 'HEAD^{commit}')
        if done.returncode:
            raise exceptions.BadInput(
                '%s is in no git repository with a commit; what has changed '
                'is told by the last commit' % self._root)
        return done.stdout.decode().strip()

    def _prepare(self, bases):
        """Make the repository that has their releases, if it is not there."""
        fetched = [bases_git.isolated(series_tree.fetch(self._state, base))
                   for base in bases]
        bases_git.bare(self._made.path, fetched)
        for base, git in zip(bases, fetched):
            self._made.run('update-ref', repository.tag(base),
                           repository.commit(git, base))

    def _stop(self, record, base, stopped):
        """Lay out the files of a step that has conflicts; keep the record."""
        work = self._folder / base.name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        with stack.index(self._made, repository.tag(base)) as with_index:
            with_index.run('read-tree', '--empty')
            with_index.run('update-index', '-z', '--index-info', stdin=''.join(
                '%s %s\t%s\0' % (*entry, path) for path, entry in
                (stopped.state | stopped.changes).items() if entry).encode(
                    errors='surrogateescape'))
            tree = with_index.line('write-tree')
            with_index.using(GIT_WORK_TREE=str(work)).run(
                'checkout-index', '--all', '--quiet')
        texts = {}
        for conflict in stopped.conflicts:
            (work / conflict.path).parent.mkdir(parents=True, exist_ok=True)
            if conflict.content is not None:
                texts[conflict.path] = conflicts.mark(
                    conflict.content, base.name, record['source'])
                (work / conflict.path).write_bytes(texts[conflict.path])
        record['conflicts'] = {
            'base': base.name, 'key': stopped.key, 'tree': tree,
            'paths': [each.path for each in stopped.conflicts]}
        files.write_whole(self._record, json.dumps(record, indent=1) + '\n')
        elsewhere = self._elsewhere(stopped.key, base.name, record['source'])
        return Outcome(record['source'], [
            Conflict(
                base.name, stopped.subject, work / each.path, each.path,
                conflicts.places(texts.get(each.path, b'')), each.why, {
                    name: hunks for name, patch in elsewhere.items()
                    if (hunks := conflicts.hunks(patch, each.path))})
            for each in stopped.conflicts])

    def _elsewhere(self, key, *names):
        """Return the other bases' patches of a change, by base name."""
        return {
            base.name: patch for base in nova_base.load_all(self._root)
            if base.name not in names for patch in series_patch.load(base)
            if numbering.key(patch) == key}

    def _read(self):
        try:
            return json.loads(self._record.read_text())
        except FileNotFoundError:
            raise exceptions.BadInput(
                'no change is being carried; begin with "nova-volops patch '
                'carry"')


def _entries(git):
    """Return the entries of an index: a dict of path, and mode and blob."""
    return {path: tuple(fields.split()[:2]) for fields, path in (
        record.split('\t', 1) for record in git.lines(
            'ls-files', '-z', '--stage'))}


def _changes(own, steps, lines):
    """Yield what happened to each patch of a series, and its subject."""
    made = {step.key for step in steps}
    for step in own:
        if step.key not in made:
            yield 'deleted', step.subject
    for step in steps:
        before = own.get(step.key)
        if not before:
            yield 'added', step.subject
        elif before.message != step.message or not lines.same(before, step):
            yield 'changed', step.subject
