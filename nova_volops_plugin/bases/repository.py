# SPDX-License-Identifier: Apache-2.0

"""Creates git repositories with the unpatched source of a base."""

import contextlib
import logging
import pathlib
import shutil
import tempfile

from nova_volops_plugin.bases import fast_import
from nova_volops_plugin.bases import git
from nova_volops_plugin.bases import sdist
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)

# Made by the release, not part of Nova's repository; on the disk Nova finds
# its entry points and its version in the first.
METADATA = 'nova.egg-info'
UNTRACKED = (METADATA, 'AUTHORS', 'ChangeLog')
_EXCLUDE = UNTRACKED + (
    '.mypy_cache/', '.stestr/', '.tox/', '*.pyc', '__pycache__/')
_IDENT = 'Nova release', 'nova@localhost'
COMMIT = 'refs/heads/volops'


def tag(base):
    """Return the full name of the tag at a base's commit."""
    return 'refs/tags/' + base.version


def commit(git, base):
    """Return the id of a base's commit in a repository that has it."""
    return git.line('rev-parse', tag(base) + '^{commit}')


def make(path, base, archive):
    """Make the repository; all of it is there or nothing.

    The commit depends on the distribution only: it has the same id on every
    machine.

    :param path: where the work tree shall be; must not exist
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param archive: the path of its source distribution
    :raises BadInput: the distribution is hostile or has another tree than
        base.conf says
    """
    LOG.info('unpacking nova %s', base.version)
    with tempfile.TemporaryDirectory(
            prefix='.%s-' % path.name, dir=path.parent) as folder:
        work = pathlib.Path(folder) / 'tree'
        work.mkdir()
        repository = git.isolated(work)
        repository.run('init', '--quiet', '--template=',
                       '--object-format=sha1')
        repository.run('symbolic-ref', 'HEAD', COMMIT)
        (work / '.git/info').mkdir(exist_ok=True)
        (work / '.git/info/exclude').write_text('\n'.join(_EXCLUDE) + '\n')
        untracked = _import(repository, base, archive)
        tree = repository.line('rev-parse', tag(base) + '^{tree}')
        if tree != base.base_tree:
            raise exceptions.BadInput(
                'nova %s unpacks to the git tree %s, but %s says %s; correct '
                'option "tree" in section [sdist]' %
                (base.version, tree, base.path / 'base.conf', base.base_tree))
        repository.run('reset', '--quiet', '--hard', tag(base))
        _write(work, untracked)
        work.rename(path)


def clone(source, path, how):
    """Clone a repository, without its files.

    :param source: the path of its work tree
    :param path: that of the clone's; must not exist
    :param how: how objects are had, an option of ``git clone``
    :returns: the clone's :class:`nova_volops_plugin.bases.git.Git`
    """
    git.isolated(None).run(
        'clone', '--quiet', how, '--no-checkout', '--template=', source, path)
    (path / '.git/info').mkdir(exist_ok=True)
    exclude = '.git/info/exclude'
    shutil.copy(pathlib.Path(source) / exclude, path / exclude)
    return git.isolated(path)


@contextlib.contextmanager
def released(base, archive):
    """Yield a bare repository that has a base as released, for a while.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param archive: the path of its source distribution
    :returns: a :class:`nova_volops_plugin.bases.git.Git`; COMMIT names the
        release's commit in it
    :raises BadInput: the distribution is hostile
    """
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
        repository = git.bare(folder)
        _import(repository, base, archive)
        yield repository


def write_metadata(path, base, archive):
    """Put back what git does not track, after a "git clean" for instance."""
    with sdist.members(archive, 'nova-' + base.version) as found:
        _write(path, {name: content for name, executable, content, changed
                      in found if name.split('/')[0] in UNTRACKED})


def _write(path, files):
    for name, content in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _import(repository, base, archive):
    """Write the distribution into git; return what stays out of it."""
    untracked, files, newest = {}, {}, 0
    with sdist.members(archive, 'nova-' + base.version) as found:
        for name, executable, content, changed in found:
            newest = max(newest, changed)
            if name.split('/')[0] in UNTRACKED:
                untracked[name] = content
            else:
                files[name] = '100755' if executable else '100644', content
    by = (*_IDENT, '%d +0000' % newest)
    made, = fast_import.commits(repository, None, [
        (by, by, b'nova %s' % base.version.encode(), files)])
    for name in (COMMIT, tag(base)):
        repository.run('update-ref', name, made)
    return untracked
