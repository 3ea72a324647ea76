# SPDX-License-Identifier: Apache-2.0

"""Brings what changed in one base's series to the other bases.

What changed is told by the commit of the repository that holds the series.
All is made in a repository of its own below the state folder, and the series
are written once nothing is in conflict any more. What a conflict became is
kept there, so that going on is doing it again.
"""

import dataclasses
import json
import logging
import pathlib
import re
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
from nova_volops_plugin.series import difference
from nova_volops_plugin.series import export
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import renumber
from nova_volops_plugin.series import replay
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import steps as series_steps
from nova_volops_plugin.series import tree as series_tree

LOG = logging.getLogger(__name__)

_MARK = re.compile(rb'^(<{7}|={7}|>{7})', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Conflict:
    """A file that has to be merged by hand.

    :param base: the name of the base to which the change is brought
    :param subject: that of the patch
    :param file: the :class:`pathlib.Path` of the file to be edited
    :param path: in Nova's tree
    :param lines: the numbers of the lines where conflicts begin, a list
    :param why: a few words
    :param elsewhere: the other bases whose patch of that change touches the
        file, a list of names
    """

    base: str
    subject: str
    file: pathlib.Path
    path: str
    lines: list
    why: str
    elsewhere: list


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How far it is.

    :param source: the name of the base whose change it is
    :param conflicts: a list of :class:`Conflict`; where there is one, nothing
        has been written
    :param changed: a dict of base name and the subjects of its patches that
        are not as they were
    :param written: the names of the files that were written
    """

    source: str
    conflicts: list
    changed: dict
    written: list


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
        commit = self._last_commit()
        names = nova_base.names(self._root)
        for name in filter(None, (source, *to)):
            nova_base.Base.load(name, self._root)
        source = source or self._changed_base(commit, names)
        if source in to:
            raise exceptions.BadInput(
                'the change of %s cannot be carried to itself' % source)
        others = [name for name in names if name != source]
        return self._go({
            'commit': commit, 'source': source, 'to': list(to) or others,
            'conflicts': None, 'resolutions': {}})

    def go_on(self):
        """Go on with the files as they were mended.

        :returns: an :class:`Outcome`
        :raises BadInput: nothing is under way, or there are conflict marks
        """
        record = self._read()
        stopped = record['conflicts']
        work = self._folder / stopped['base']
        marked = [path for path in stopped['paths']
                  if (work / path).is_file() and
                  _MARK.search((work / path).read_bytes())]
        if marked:
            raise exceptions.BadInput(
                'there are conflict marks in %s; edit them in %s first' %
                (', '.join(marked), work))
        merger = replay.Merger(self._repository())
        resolved = record['resolutions'].setdefault(stopped['base'], [])
        for path in stopped['paths']:
            entry = None
            if (work / path).is_file():
                mode = '100755' if (work / path).stat().st_mode & 0o100 \
                    else '100644'
                entry = mode, merger.write((work / path).read_bytes())
            resolved.append([stopped['key'], path, entry])
        return self._go(record)

    def abort(self):
        """Give up; no series was changed.

        :raises BadInput: nothing is under way
        """
        self._read()
        shutil.rmtree(self._folder)

    def _go(self, record):
        LOG.info('reading the series of %s', record['source'])
        made = self._made(record['source'])
        old, new = self._source(record, made)
        changed, sources = {}, []
        lines = series_steps.Lines(made)
        for name in record['to']:
            LOG.info('bringing the change to %s', name)
            base = nova_base.Base.load(name, self._root)
            start, own = self._steps(made, base)
            numbers = renumber.between(
                nova_base.Base.load(record['source'], self._root), base)
            try:
                done = difference.Difference(
                    old.renumbered(numbers), new.renumbered(numbers), own, {
                        (key, path): entry and tuple(entry)
                        for key, path, entry in
                        record['resolutions'].get(name, ())}).run()
            except replay.Stopped as stopped:
                return self._stop(record, base, start, stopped)
            sources.append(export.Source(
                base, made, checkout.Checkout(made.path, made), start,
                done.write(made, start)))
            changed[name] = [
                step.subject for step in done.steps
                if not (before := own.get(step.key)) or
                before.message != step.message or
                not lines.same(before, step)]
        LOG.info('writing the series')
        written = export.export_all(sources, self._root)
        shutil.rmtree(self._folder)
        return Outcome(record['source'], [], changed, written)

    def _source(self, record, made):
        """Return the steps of the series as it was, and as it is."""
        base = nova_base.Base.load(record['source'], self._root)
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
            old = self._at(record['commit'], base.name, folder)
            if old.base_tree != base.base_tree:
                raise exceptions.BadInput(
                    '%s was of nova %s at the last commit and is of nova %s '
                    'now; commit that first' %
                    (base.name, old.version, base.version))
            return self._steps(made, old)[1], self._steps(made, base)[1]

    def _steps(self, made, base):
        start = made.line('rev-parse', 'refs/bases/' + base.name)
        heads = stack.commits(made, start, series_patch.load(base))
        return start, series_steps.Steps(
            made, start, heads[-1] if heads else start)

    def _at(self, commit, name, folder):
        """Return a base as it was at a commit, written to a folder."""
        for file, text in self._files(commit, name).items():
            path = pathlib.Path(folder) / name / file
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text)
        return nova_base.Base.load(name, folder)

    def _files(self, commit, name):
        """Return the files of a base's folder at a commit, by their names."""
        found = {}
        listed = self._kept.lines(
            'ls-tree', '-z', '--full-tree', '%s:./%s' % (commit, name))
        for record in listed:
            _mode, kind, rest = record.split(' ', 2)
            blob, file = rest.split('\t', 1)
            if kind == 'blob' and (file.endswith('.patch') or file in (
                    'base.conf', 'series')):
                found[file] = self._kept.run('cat-file', 'blob', blob)
        return found

    def _changed_base(self, commit, names):
        """Return the name of the one base whose patches have changed."""
        changed = []
        for name in names:
            if not self._kept.succeeds(
                    'cat-file', '-e', '%s:./%s/series' % (commit, name)):
                continue
            with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
                old, new = (
                    [patch.content for patch in series_patch.load(base)]
                    for base in (self._at(commit, name, folder),
                                 nova_base.Base.load(name, self._root)))
            if old != new:
                changed.append(name)
        if not changed:
            raise exceptions.BadInput(
                'no series has changed since the last commit; write the '
                'change by "nova-volops patch export BASE" first, and carry '
                'it before it is committed')
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

    def _made(self, source):
        """Return the repository that has all releases."""
        if not (self._folder / 'git').is_dir():
            self._folder.mkdir(exist_ok=True)
            self._repository().run('init', '--quiet', '--bare', '--template=')
        made = self._repository()
        for base in nova_base.load_all(self._root):
            if not made.succeeds('rev-parse', '--verify', '--quiet',
                                 'refs/bases/' + base.name):
                fetched = series_tree.fetch(self._state, base)
                made.run('fetch', '--quiet', '--no-tags', fetched, '%s:%s' % (
                    repository.tag(base), 'refs/bases/' + base.name))
        return made

    def _repository(self):
        path = self._folder / 'git'
        path.mkdir(parents=True, exist_ok=True)
        return bases_git.isolated(path)

    def _stop(self, record, base, start, stopped):
        """Lay out the files of a step that has conflicts; keep the record."""
        made = self._repository()
        work = self._folder / base.name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        with stack.index(made, start) as with_index:
            with_index.run('read-tree', '--empty')
            with_index.run('update-index', '-z', '--index-info', stdin=''.join(
                '%s %s\t%s\0' % (*entry, path) for path, entry in
                (stopped.state | stopped.changes).items() if entry).encode(
                    errors='surrogateescape'))
            with_index.using(GIT_WORK_TREE=str(work)).run(
                'checkout-index', '--all', '--quiet')
        for conflict in stopped.conflicts:
            if conflict.content is not None:
                (work / conflict.path).parent.mkdir(
                    parents=True, exist_ok=True)
                (work / conflict.path).write_bytes(_labelled(
                    conflict.content, base.name, record['source']))
        record['conflicts'] = {
            'base': base.name, 'key': stopped.key,
            'paths': [each.path for each in stopped.conflicts]}
        files.write_whole(self._record, json.dumps(record, indent=1) + '\n')
        return Outcome(record['source'], [
            self._conflict(record, base, work, stopped, each)
            for each in stopped.conflicts], {}, [])

    def _conflict(self, record, base, work, stopped, conflict):
        text = (conflict.content or b'').splitlines()
        return Conflict(
            base.name, stopped.subject, work / conflict.path, conflict.path,
            [number for number, line in enumerate(text, 1)
             if line.startswith(b'<<<<<<< ')], conflict.why, [
                 other.name for other in nova_base.load_all(self._root)
                 if other.name not in (base.name, record['source']) and any(
                     change.path == conflict.path
                     for patch in series_patch.load(other)
                     if patch.trailer('Change-Id') == stopped.key
                     for change in patch.changes)])

    def _read(self):
        try:
            return json.loads(self._record.read_text())
        except FileNotFoundError:
            raise exceptions.BadInput(
                'no change is being carried; begin with "nova-volops patch '
                'carry"')


def _labelled(text, base, source):
    """Name the sides of conflict marks by the bases."""
    for old, new in ((b'<<<<<<< ours', '<<<<<<< %s' % base),
                     (b'||||||| base', '||||||| before the change of %s' %
                      source),
                     (b'>>>>>>> theirs', '>>>>>>> %s' % source)):
        text = re.sub(b'(?m)^' + re.escape(old) + b'$', new.encode(), text)
    return text
