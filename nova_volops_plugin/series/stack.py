# SPDX-License-Identifier: Apache-2.0

"""Applies patches to a commit without a checkout."""

import contextlib
import email.utils
import os
import re
import tempfile

from nova_volops_plugin.bases import fast_import
from nova_volops_plugin import exceptions
from nova_volops_plugin.series import in_memory

_PLACE = re.compile(r'^error: patch failed: (.+):(\d+)$', re.MULTILINE)
_FILE = re.compile(r'^error: (.+?): (.+)$', re.MULTILINE)
# What git takes away where a name begins or ends.
_NO_NAME = ''.join(map(chr, range(33))) + '.,:;<>"\\\''


class DoesNotApply(exceptions.VolopsError):
    """A patch does not fit the tree; nothing was changed."""


@contextlib.contextmanager
def index(git, start):
    """Yield the repository with an index of its own that holds a commit.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param start: a commit or tree
    """
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        with_index = git.using(
            GIT_INDEX_FILE=os.path.join(folder, 'index'))
        with_index.run('read-tree', start)
        yield with_index


def put(git, patch, options=()):
    """Apply one patch to the repository's index.

    :param git: what :func:`index` yields
    :param patch: a :class:`nova_volops_plugin.series.patch.Patch`
    :param options: more options of ``git apply``
    :raises DoesNotApply: naming patch, file and hunk
    """
    done = git.attempt('apply', '--cached', *options, '-',
                       stdin=patch.diff)
    if done.returncode:
        words = done.stderr.decode(errors='replace')
        raise DoesNotApply(
            '%s does not apply: %s. Nothing was changed. The tree is not the '
            'released base, or has changes of its own there' %
            (patch.name, _where(patch, words)))


def tree(git, start, patches):
    """Return the tree id after the last patch; nothing but objects is made.

    :param start: a commit or tree to begin with
    :param patches: a list of :class:`nova_volops_plugin.series.patch.Patch`
    :raises DoesNotApply: naming patch, file and hunk
    """
    with index(git, start) as with_index:
        if not with_index.succeeds('apply', '--cached', '-', stdin=b'\n'.join(
                patch.diff for patch in patches)):
            # One after the other they tell what does not apply.
            for patch in patches:
                put(with_index, patch)
        return with_index.line('write-tree')


def commits(git, start, patches):
    """Return the ids of one new commit a patch, made but on no branch.

    That is done in memory. Where a patch does not fit to the line, git does
    it, which also tells what does not apply.

    Each has the author, date and message of its patch, as ``git am`` would
    make it, and the author as its committer: the same patches on the same
    commit always give the same ids.

    :param start: the commit to begin with
    :param patches: a list of :class:`nova_volops_plugin.series.patch.Patch`
    :raises DoesNotApply: naming patch, file and hunk
    :raises BadInput: a patch does not say its author, date or subject
    """
    signed = [_signed(patch) for patch in patches]
    try:
        return fast_import.commits(git, start, [
            (by, by, message, files) for (by, message), files in zip(
                signed, _contents(git, start, patches))])
    except in_memory.Unsure:
        pass
    made = []
    with index(git, start) as with_index:
        for patch, (by, message) in zip(patches, signed):
            put(with_index, patch)
            made.append(_commit(
                with_index, made[-1] if made else start, by, message))
    return made


def _contents(git, start, patches):
    """Yield the files that each patch changes as they are after it."""
    files = in_memory.Files(git, start, patches)
    for patch in patches:
        files.put(patch)
        yield {change.path: files.file(change.path)
               for change in patch.changes}


def _commit(git, parent, by, message):
    """Return the id of a new commit of an index."""
    author, email, date = by
    return git.using(
        GIT_AUTHOR_NAME=author, GIT_AUTHOR_EMAIL=email, GIT_AUTHOR_DATE=date,
        GIT_COMMITTER_NAME=author, GIT_COMMITTER_EMAIL=email,
        GIT_COMMITTER_DATE=date).run(
            'commit-tree', git.line('write-tree'), '-p', parent,
            stdin=message.rstrip(b'\n') + b'\n').decode().strip()


def _signed(patch):
    """Return (name, address, date) of a patch's author, and its message."""
    author, _sign, address = patch.author.rstrip('>').rpartition(' <')
    # Git takes such signs away, too.
    author = re.sub('[<>\0\n]', '', author).strip(_NO_NAME)
    address = re.sub('[<>\0\n]', '', address).strip(_NO_NAME)
    date = email.utils.parsedate_tz(patch.date)
    for name, value in (('author', author and address), ('date', date),
                        ('subject', patch.subject)):
        if not value:
            raise exceptions.BadInput(
                '%s has no %s in its header; make patches by "git '
                'format-patch"' % (patch.path, name))
    offset = date[-1] or 0
    when = '%d %s%02d%02d' % (
        email.utils.mktime_tz(date), '-' if offset < 0 else '+',
        abs(offset) // 3600, abs(offset) // 60 % 60)
    text = '\n'.join([patch.subject, '', *patch.body]).rstrip('\n') + '\n'
    return (author, address, when), text.encode(errors='surrogateescape')


def _where(patch, words):
    place = _PLACE.search(words)
    if place:
        path, line = place[1], int(place[2])
        hunk = patch.hunk(path, line)
        return 'file %s, %sline %d' % (
            path, 'hunk %d, ' % hunk if hunk else '', line)
    file = _FILE.search(words)
    if file:
        return 'file %s (%s)' % (file[1], file[2])
    return ' '.join(words.split())
