# SPDX-License-Identifier: Apache-2.0

"""A Nova without git, installed or unpacked: giving or taking the series.

Only what is below ``nova/`` is touched, for the rest of a patch (API
samples, documents) is not installed. The folder ``.nova-volops`` beside it
keeps the original files and a record; while the record says ``changing``,
a killed run is undone by the next one.
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
from nova_volops_plugin.series import patch as series_patch
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

    def status(self, base):
        """Return the :class:`nova_volops_plugin.series.checkout.Status`."""
        total = len(series_patch.load(base))
        record = self._read()
        if not record or record['state'] == 'changing':
            return checkout.Status('released', 0, total, not record)
        whole = record['patches'] == [
            patch.name for patch in series_patch.load(base)]
        return checkout.Status(
            'patched' if whole else 'partly', len(record['patches']), total,
            not self._foreign(record))

    def distance(self, base):
        """Say how far the release is from that of the series.

        :returns: as :func:`release.distance` does
        """
        return release.distance(base, release.version(self))

    def apply(self, base):
        """Put the whole series on the files, wholly or not at all.

        :param base: a :class:`nova_volops_plugin.bases.base.Base`
        :raises Refused: the files have the series, or cannot be written
        :raises DoesNotApply: naming patch, file and hunk
        """
        self._require_writable()
        self._folder.mkdir(exist_ok=True)
        with lock.hold(self._folder / 'lock'):
            self.recover()
            if self._read():
                raise checkout.Refused(
                    '%s has the series already; see "nova-volops patch '
                    'status", or take it off first by "nova-volops patch '
                    'revert"' % self.path)
            patches = series_patch.load(base)
            try:
                self._swap(base, patches, self._results(patches))
            finally:
                if not self._read():
                    shutil.rmtree(self._folder)

    def revert(self, base):
        """Put the original files back, byte for byte.

        :raises Refused: it has no series, or its files were changed since
        """
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
            foreign = self._foreign(record)
            if foreign:
                raise checkout.Refused(
                    '%s was changed after the series was applied: %s. Put '
                    'the files in %s back by hand, or install Nova again' %
                    (self.path, ', '.join(foreign[:5]), self._originals))
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
        self._folder.mkdir()
        LOG.info('an apply or revert was interrupted here; the original '
                 'files are back')
        return True

    def _nothing(self, base):
        return checkout.Refused(
            '%s has no patch of %s that this tool applied; there is nothing '
            'to take off' % (self.path, base.name))

    def _results(self, patches):
        """Return path -> (content or None, mode bits to add) afterwards."""
        paths = sorted({change.path for patch in patches
                        for change in patch.changes
                        if self._wanted(change.path)})
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
            git = bases_git.isolated(folder)
            git.run('init', '--quiet', '--bare', '--template=')
            git = git.using(GIT_INDEX_FILE=os.path.join(folder, 'index'))
            for path in paths:
                if (self.path / path).is_file():
                    blob = git.line('hash-object', '-w', '--no-filters',
                                    self.path / path)
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

    def _swap(self, base, patches, results):
        record = {'state': 'changing', 'base': base.name,
                  'patches': [patch.name for patch in patches], 'files': {}}
        for path, content in results.items():
            here = self.path / path
            if here.is_file():
                kept = self._originals / path
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(here, kept)
            record['files'][path] = {
                'before': _digest(here), 'after': content is not None and
                hashlib.sha256(content).hexdigest() or None}
        self._write(record)
        try:
            for path, content in results.items():
                self._put(path, content)
        except OSError as error:
            self._restore(record)
            raise exceptions.VolopsError(
                '%s could not be written: %s. The original files are back' %
                (error.filename, error.strerror))
        self._write(dict(record, state='applied'))

    def _put(self, path, content):
        here = self.path / path
        if content is None:
            here.unlink(missing_ok=True)
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
                shutil.copy2(self._originals / path, beside)
                owner = (self._originals / path).stat()
                os.chown(beside, owner.st_uid, owner.st_gid)
                os.replace(beside, here)
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
