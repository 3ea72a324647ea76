# SPDX-License-Identifier: Apache-2.0

"""Makes git repositories that have a base as it was released."""

import contextlib
import logging
import pathlib
import shutil
import subprocess
import tempfile

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
_IDENT = 'Nova release <nova@localhost>'
BRANCH = 'volops'
COMMIT = 'refs/heads/' + BRANCH


def tag(base):
    """Return the full name of the tag at a base's commit."""
    return 'refs/tags/' + base.version


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
        repository = git.isolated(folder)
        repository.run('init', '--quiet', '--bare', '--template=',
                       '--object-format=sha1')
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
    """Stream the distribution into git; return what stays out of it."""
    untracked = {}
    changes = []
    newest = 0
    process = repository.popen(
        'fast-import', '--quiet', '--done', stdin=subprocess.PIPE,
        stderr=subprocess.PIPE)
    try:
        with process.stdin as feed, sdist.members(
                archive, 'nova-' + base.version) as found:
            for mark, (name, executable, content, changed) in enumerate(
                    found, 1):
                newest = max(newest, changed)
                if name.split('/')[0] in UNTRACKED:
                    untracked[name] = content
                    continue
                feed.write(b'blob\nmark :%d\ndata %d\n%s\n' %
                           (mark, len(content), content))
                changes.append('M %s :%d %s\n' % (
                    '100755' if executable else '100644', mark,
                    _quoted(name)))
            message = 'nova %s' % base.version
            feed.write((
                'commit refs/heads/%s\ncommitter %s %d +0000\ndata %d\n%s\n'
                '%s\nreset %s\nfrom refs/heads/%s\n\ndone\n' %
                (BRANCH, _IDENT, newest, len(message), message,
                 ''.join(changes), tag(base), BRANCH)).encode())
    except BrokenPipeError:
        pass  # its words follow
    except BaseException:
        process.kill()
        process.communicate()
        raise
    words = process.stderr.read().decode(errors='replace')
    process.stderr.close()
    if process.wait():
        raise git.GitError(['fast-import'], words)
    return untracked


def _quoted(name):
    return '"%s"' % name.replace('\\', r'\\').replace('"', r'\"').replace(
        '\n', r'\n')
