# SPDX-License-Identifier: Apache-2.0

"""Applies the series to a Nova without git and reverts it.

Only what is below ``nova/`` is touched, for the rest of a patch (API
samples, documents) is not installed. The folder ``.nova-volops`` beside it
keeps the original files and a record, and the files of before while some
topics are exchanged for others; while the record says ``changing``, a killed
run is undone by the next one.
"""

import hashlib
import json
import logging
import os
import pathlib
import shutil
import tempfile

from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import lock
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import release
from nova_volops_plugin.series import stack

LOG = logging.getLogger(__name__)

_FOLDER = '.nova-volops'


class Installed:
    """One Nova without git.

    :param path: the folder that holds the package ``nova``
    """

    kind = 'files'

    def __init__(self, path):
        self.path = path
        self._folder = path / _FOLDER
        self._record = self._folder / 'record.json'
        self._originals = self._folder / 'originals'
        self._previous = self._folder / 'previous'

    def status(self, base, only=None):
        """Return the :class:`nova_volops_plugin.series.checkout.Status`.

        :param only: as in
            :meth:`nova_volops_plugin.series.checkout.Checkout.status`
        """
        series = combination.Series(base)
        return self._status(series, series.names(only))

    def distance(self, base):
        """Say how far the release is from that of the series.

        :returns: as :func:`release.distance` does
        """
        return release.distance(base, release.version(self))

    def apply(self, base, only=None, fetched=None):
        """Put the series on the files, wholly or not at all.

        Topics are added to those that the files have.

        :param base: a :class:`nova_volops_plugin.bases.base.Base`
        :param only: as in
            :meth:`nova_volops_plugin.series.checkout.Checkout.apply`, so is
            ``fetched``
        :raises Refused: the files have what is asked for, were changed since
            they got it, or cannot be written
        :raises BadInput: the series has no such topic
        :raises Conflict: the topics cannot be made without the others
        :raises DoesNotApply: naming patch, file and hunk
        """
        series = combination.Series(base, fetched)
        wanted = series.names(only)
        self._require_writable()
        self._folder.mkdir(exist_ok=True)
        with lock.hold(self._folder / 'lock'):
            self.recover()
            record = self._read()
            try:
                if record:
                    status = self._status(series)
                    checkout.require_more(self.path, series, status, only)
                    self._require_unchanged(record)
                    wanted = series.topics.with_needs(wanted + status.topics)
                self._swap(series, wanted, record)
            finally:
                if not self._read():
                    shutil.rmtree(self._folder, ignore_errors=True)

    def revert(self, base, only=None, fetched=None):
        """Put the original files back, byte for byte.

        :param only: the names of the topics to take off, by default all
        :raises Refused: it has no series or not these topics, has others that
            need them, or its files were changed since
        """
        series = combination.Series(base, fetched)
        if only is not None:
            series.names(only)
        self._require_writable()
        if not self._folder.is_dir():
            raise self._nothing(base)
        with lock.hold(self._folder / 'lock'):
            recovered = self.recover()
            record = self._read()
            if not record and recovered:
                return
            if not record:
                raise self._nothing(base)
            left = checkout.remaining(
                self.path, series, self._status(series), only)
            self._require_unchanged(record)
            if left:
                self._swap(series, left, record)
                return
            self._write(dict(record, state='changing'))
            self._restore(record)

    def recover(self):
        """Undo what a killed apply, or finish what a killed revert began.

        :returns: whether there was something
        """
        record = self._read()
        if not record or record['state'] != 'changing':
            return False
        self._restore(record)
        self._folder.mkdir(exist_ok=True)
        LOG.info('an apply or revert was interrupted here; the %s files are '
                 'back', 'previous' if 'previous' in record else 'original')
        return True

    def _status(self, series, names=None):
        patches = series.all if names in (None, series.names()) else \
            series.own(names)
        record = self._read()
        clean = not record or \
            record['state'] != 'changing' and not self._foreign(record)
        if record and record['state'] == 'changing':
            # What is undone leads back to it.
            record = record.get('previous')
        if not record:
            return checkout.Status('released', 0, len(patches), clean)
        has = record['patches']
        if has == [patch.name for patch in series.all]:
            topics = series.names()
        else:
            topics = record.get('topics', ())
        if patches is not series.all:
            wanted = {patch.name for patch in patches}
            has = [name for name in has if name in wanted]
        state = 'partly' if has else 'released'
        if has == [patch.name for patch in patches]:
            state = 'patched'
        return checkout.Status(
            state, len(has), len(patches), clean,
            tuple(name for name in names or series.names()
                  if name in topics))

    def _nothing(self, base):
        return checkout.Refused(
            '%s has no patch of %s that this tool applied; there is nothing '
            'to take off' % (self.path, base.name))

    def _require_unchanged(self, record):
        foreign = self._foreign(record)
        if foreign:
            raise checkout.Refused(
                '%s was changed after the series was applied: %s. Put '
                'the files in %s back by hand, or install Nova again' %
                (self.path, ', '.join(foreign[:5]), self._originals))

    def _original(self, path, record):
        """Return where a file is as it was before the series."""
        return (self._originals if record and path in record['files']
                else self.path) / path

    def _results(self, patches, record):
        """Return path -> content afterwards, None for no such file."""
        paths = sorted({change.path for patch in patches
                        for change in patch.changes
                        if self._wanted(change.path)})
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
            git = bases_git.bare(folder).using(
                GIT_INDEX_FILE=os.path.join(folder, 'index'))
            for path in paths:
                original = self._original(path, record)
                if original.is_file():
                    blob = git.line('hash-object', '-w', '--no-filters',
                                    original)
                    git.run('update-index', '--add', '--cacheinfo',
                            '100644,%s,%s' % (blob, path))
            for patch in patches:
                names = [change.path for change in patch.changes
                         if self._wanted(change.path)]
                if names:
                    stack.put(git, patch, [
                        '--include=' + name for name in names])
            after = dict(
                reversed(line.split('\t', 1)) for line in git.lines(
                    'ls-files', '-z', '--stage'))
            return {path: git.run('cat-file', 'blob', after[path].split()[1])
                    if path in after else None for path in paths}

    def _wanted(self, path):
        if path.startswith('nova/tests/'):
            return (self.path / 'nova/tests').is_dir()
        return path.startswith('nova/')

    def _swap(self, series, names, old):
        """Give the files the patches of some topics instead of others.

        :param old: the record of what they have, None for nothing
        """
        patches = series.patches(names)
        results = self._results(patches, old)
        record = {
            'state': 'changing', 'base': series.base.name,
            'topics': list(names), 'patches': [
                patch.name for patch in patches],
            'files': {path: {
                'before': _digest(self._original(path, old)),
                'after': content is not None and
                hashlib.sha256(content).hexdigest() or None}
                for path, content in results.items()}}
        for path in results:
            if not old or path not in old['files']:
                self._keep(path, self._originals)
        changing = record
        if old:
            for path in old['files'].keys() - results.keys():
                original = self._originals / path
                results[path] = original.read_bytes() \
                    if original.is_file() else None
            shutil.rmtree(self._previous, ignore_errors=True)
            self._previous.mkdir()
            for path in results:
                self._keep(path, self._previous)
            changing = dict(record, previous=old, files={
                path: {'before': _digest(self.path / path)}
                for path in results})
        self._write(changing)
        try:
            for path, content in results.items():
                self._put(path, content)
        except OSError as error:
            self._restore(changing)
            raise exceptions.VolopsError(
                '%s could not be written: %s. The files are as they were' %
                (error.filename, error.strerror))
        self._write(dict(record, state='applied'))
        shutil.rmtree(self._previous, ignore_errors=True)

    def _keep(self, path, folder):
        kept = folder / path
        kept.unlink(missing_ok=True)
        if (self.path / path).is_file():
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.path / path, kept)

    def _put(self, path, content):
        here = self.path / path
        if content is None:
            if here.is_file():
                here.unlink()
                self._remove_empty(here.parent)
            return
        here.parent.mkdir(parents=True, exist_ok=True)
        beside = here.with_name('.%s.nova-volops' % here.name)
        beside.write_bytes(content)
        # A new file gets the owner and mode of its package.
        model = here if here.exists() else self.path / 'nova/__init__.py'
        shutil.copymode(model, beside)
        owner = model.stat()
        if (owner.st_uid, owner.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(beside, owner.st_uid, owner.st_gid)
        os.replace(beside, here)

    def _restore(self, record):
        """Put back what was before a record's change, or what is original."""
        kept = self._previous if 'previous' in record else self._originals
        for path, digests in record['files'].items():
            here = self.path / path
            here.with_name('.%s.nova-volops' % here.name).unlink(
                missing_ok=True)
            if _digest(here) == digests['before']:
                continue
            if digests['before'] is None:
                here.unlink()
                self._remove_empty(here.parent)
            else:
                beside = here.with_name('.%s.nova-volops' % here.name)
                here.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(kept / path, beside)
                owner = (kept / path).stat()
                os.chown(beside, owner.st_uid, owner.st_gid)
                os.replace(beside, here)
        if 'previous' in record:
            self._write(record['previous'])
            shutil.rmtree(self._previous)
        else:
            self._record.unlink()
            shutil.rmtree(self._folder)

    def _remove_empty(self, folder):
        shutil.rmtree(folder / '__pycache__', ignore_errors=True)
        while folder != self.path and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent

    def _foreign(self, record):
        return [path for path, digests in record['files'].items()
                if _digest(self.path / path) != digests['after']]

    def _require_writable(self):
        for path in (self.path, self.path / 'nova'):
            if not os.access(path, os.W_OK):
                raise checkout.Refused(
                    '%s cannot be written; run this as its owner' % path)

    def _read(self):
        try:
            return json.loads(self._record.read_text())
        except FileNotFoundError:
            return None

    def _write(self, record):
        files.write_whole(self._record, json.dumps(record, indent=1))


def _digest(path):
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    except FileNotFoundError:
        return None
