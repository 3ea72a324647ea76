# SPDX-License-Identifier: Apache-2.0

"""Downloads a base's source distribution, checks its hash and reads it."""

import contextlib
import gzip
import hashlib
import logging
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

from nova_volops_plugin import child
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# Nova's have 50 MB in 5,400 members; more than these is no Nova.
MAX_BYTES = 512 * 1024 * 1024
MAX_MEMBERS = 50000


def ensure(state, base, sdist=None):
    """Return the path of a base's source distribution, its hash checked.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param sdist: a file to take instead of downloading one
    :raises BadInput: ``sdist`` is not the base's
    :raises VolopsError: it cannot be downloaded
    """
    kept = state.sdists / base.sdist
    if not sdist and kept.is_file() and _sha256(kept) == base.sha256:
        return kept
    with tempfile.TemporaryDirectory(dir=state.sdists) as folder:
        if sdist:
            found = pathlib.Path(folder) / base.sdist
            try:
                shutil.copyfile(sdist, found)
            except OSError as error:
                raise exceptions.BadInput('%s cannot be read: %s' % (
                    sdist, error.strerror or error))
        else:
            LOG.info('downloading nova %s with pip', base.version)
            found = _download(base, pathlib.Path(folder))
        _check(found, base, sdist or found.name)
        os.replace(found, kept)
    return kept


def _download(base, folder):
    # pip runs the distribution's own set-up code, so pip must check the hash
    # before that; isolation keeps that code out of this environment. Nova may
    # run with another Python than this one.
    requirement = folder / 'requirements.txt'
    requirement.write_text(
        'nova==%s --hash=sha256:%s\n' % (base.version, base.sha256))
    done = child.run(
        [sys.executable, '-m', 'pip', '--disable-pip-version-check',
         '--no-input', 'download', '--quiet', '--no-deps', '--no-binary',
         'nova', '--require-hashes', '--ignore-requires-python',
         '--dest', folder, '-r', requirement])
    found = folder / base.sdist
    if done.returncode or not found.is_file():
        said = [line for line in done.stderr.splitlines()
                if not line.startswith('WARNING')]
        raise exceptions.VolopsError(
            'pip could not download nova %s. Check the network and pip\'s '
            'settings ("pip config list"), or get %s by hand and name it '
            'with "nova-volops patch fetch --sdist FILE %s". pip said:\n%s' %
            (base.version, base.sdist, base.name, '\n'.join(said[-10:])))
    return found


def _check(path, base, name):
    found = _sha256(path)
    if found != base.sha256:
        raise exceptions.BadInput(
            '%s is not the source distribution of nova %s: it has %d bytes '
            'and sha256 %s, expected %s. It is truncated or another file; '
            'download it again' %
            (name, base.version, path.stat().st_size, found, base.sha256))


def _sha256(path):
    digest = hashlib.sha256()
    with open(path, 'rb') as reader:
        while chunk := reader.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


@contextlib.contextmanager
def members(path, folder):
    """Iterate over the files of a source distribution.

    Yields an iterator of (path below ``folder``, executable, bytes, time of
    last change). Nothing is unpacked to the disk.

    :param path: the tar.gz file
    :param folder: the one top folder it must have, such as ``nova-34.0.0``
    :raises BadInput: while iterating: a member is a link or a device,
        leaves ``folder``, or they are too many or too big
    """
    try:
        with gzip.open(path) as unpacked, \
                tarfile.open(fileobj=unpacked, mode='r|') as archive:
            yield _safe(archive, path, folder)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise exceptions.BadInput(
            '%s is no intact tar.gz file: %s' % (path, error))


def _safe(archive, path, folder):
    size = count = 0
    for member in archive:
        count += 1
        size += max(member.size, 0)
        if count > MAX_MEMBERS or size > MAX_BYTES:
            raise exceptions.BadInput(
                '%s unpacks to more than %d files or %d bytes; this is no '
                'Nova' % (path, MAX_MEMBERS, MAX_BYTES))
        parts = member.name.split('/')
        if (parts[0] != folder or
                any(part in ('', '.', '..') or part.lower() == '.git' or
                    '\\' in part for part in parts)):
            raise exceptions.BadInput(
                '%s has the member %r, which is not below %s/' %
                (path, member.name, folder))
        if member.isdir():
            continue
        if not member.isreg():
            raise exceptions.BadInput(
                '%s has the member %r, which is no regular file' %
                (path, member.name))
        content = archive.extractfile(member).read()
        yield ('/'.join(parts[1:]), bool(member.mode & 0o100), content,
               int(member.mtime))
