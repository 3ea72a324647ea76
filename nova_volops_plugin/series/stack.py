# SPDX-License-Identifier: Apache-2.0

"""Puts patches on a commit through a temporary index, without a checkout."""

import contextlib
import os
import re
import tempfile

from nova_volops_plugin import exceptions

_PLACE = re.compile(r'^error: patch failed: (.+):(\d+)$', re.MULTILINE)
_FILE = re.compile(r'^error: (.+?): (.+)$', re.MULTILINE)


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
    :raises DoesNotApply: naming patch, file and hunk
    """
    with index(git, start) as with_index:
        for patch in patches:
            put(with_index, patch)
        return with_index.line('write-tree')


def commits(git, start, patches):
    """Return the ids of one new commit a patch, made but on no branch.

    Each has the author, date and message of its patch, as ``git am`` would
    make it, and the author as its committer: the same patches on the same
    commit always give the same ids.

    :param start: the commit to begin with
    :raises DoesNotApply: naming patch, file and hunk
    """
    made = []
    with index(git, start) as with_index:
        for patch in patches:
            put(with_index, patch)
            made.append(_commit(
                with_index, made[-1] if made else start, patch))
    return made


def commit_index(git, parent, by, message):
    """Return the id of a new commit of an index, made but on no branch.

    :param git: what :func:`index` yields
    :param parent: the id of the commit before it
    :param by: name, e-mail address and date of author and committer
    :param message: bytes
    """
    author, email, date = by
    return git.using(
        GIT_AUTHOR_NAME=author, GIT_AUTHOR_EMAIL=email, GIT_AUTHOR_DATE=date,
        GIT_COMMITTER_NAME=author, GIT_COMMITTER_EMAIL=email,
        GIT_COMMITTER_DATE=date).run(
            'commit-tree', git.line('write-tree'), '-p', parent,
            stdin=message.rstrip(b'\n') + b'\n').decode().strip()


def _commit(git, parent, patch):
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        message = os.path.join(folder, 'message')
        info = git.run(
            'mailinfo', '--encoding=UTF-8', message,
            os.path.join(folder, 'patch'), stdin=patch.content)
        fields = dict(line.split(': ', 1)
                      for line in info.decode().splitlines() if ': ' in line)
        try:
            author, email, date, subject = (
                fields[name] for name in (
                    'Author', 'Email', 'Date', 'Subject'))
        except KeyError as error:
            raise exceptions.BadInput(
                '%s has no %s in its header; make patches by "git '
                'format-patch"' % (patch.path, error.args[0]))
        with open(message, 'rb') as body:
            text = subject.encode() + b'\n\n' + body.read()
    return commit_index(git, parent, (author, email, date), text)


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
