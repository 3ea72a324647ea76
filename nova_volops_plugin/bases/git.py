# SPDX-License-Identifier: Apache-2.0

"""Runs git independently of the user's configuration."""

import io
import os
import pathlib
import subprocess
import tempfile

from nova_volops_plugin import exceptions

# Settings of a tree's own .git/config that would change what is written or
# run something.
_SETTINGS = (
    'core.autocrlf=false',
    'core.attributesFile=/dev/null',
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.quotePath=false',
    'core.safecrlf=false',
    'apply.whitespace=nowarn',
    'apply.ignoreWhitespace=no',
    'commit.gpgSign=false',
    'gc.auto=0',
    'i18n.commitEncoding=UTF-8',
)


class GitError(exceptions.VolopsError):
    """git refused; ``stderr`` holds its words."""

    def __init__(self, args, stderr):
        self.stderr = stderr
        super().__init__('git %s failed: %s' % (
            args[0], ' '.join(stderr.split()) or 'it said nothing'))


class Git:
    """One repository, or with ``path`` None none at all.

    :param path: the work tree, or the folder of a bare repository
    :param environ: more environment variables, a dict of str
    """

    def __init__(self, path, **environ):
        self.path = pathlib.Path(path) if path else None
        self.environ = environ

    def using(self, **environ):
        """Return the same repository with more environment variables."""
        return Git(self.path, **dict(self.environ, **environ))

    def scratch(self, folder):
        """Return the same repository, with new objects in another folder.

        :param folder: the folder; made when missing
        """
        pathlib.Path(folder).mkdir(exist_ok=True)
        return self.using(
            GIT_OBJECT_DIRECTORY=str(folder),
            GIT_ALTERNATE_OBJECT_DIRECTORIES=self.objects_folder())

    def objects_folder(self):
        """Return the path of the folder of the objects, a str."""
        return self.line('rev-parse', '--path-format=absolute', '--git-path',
                         'objects')

    def run(self, *args, stdin=b''):
        """Run one git command.

        :param stdin: bytes it reads
        :returns: what it printed, bytes
        :raises GitError: it failed
        :raises VolopsError: git is not installed
        """
        done = self.attempt(*args, stdin=stdin)
        if done.returncode:
            raise GitError(args, done.stderr.decode(errors='replace'))
        return done.stdout

    def attempt(self, *args, stdin=b''):
        """Run one git command that may fail.

        :returns: a :class:`subprocess.CompletedProcess`, output in bytes
        :raises VolopsError: git is not installed
        """
        try:
            return subprocess.run(
                self._command(args), input=stdin, env=self._environ(),
                capture_output=True, check=False)
        except FileNotFoundError:
            raise exceptions.VolopsError(
                'git is not installed (Debian and Ubuntu: apt-get install '
                'git)')

    def line(self, *args, stdin=b''):
        """Run one git command and return what it printed, stripped, a str."""
        return self.run(*args, stdin=stdin).decode(
            errors='surrogateescape').strip()

    def lines(self, *args):
        """Run one git command with NUL-separated output; return a list."""
        text = self.run(*args).decode(errors='surrogateescape')
        return [part for part in text.split('\0') if part]

    def objects(self, names):
        """Yield the content of each object, bytes.

        :param names: ids, or commits and paths, of objects that are there
        """
        names = list(names)
        batch = io.BytesIO(self.run(
            'cat-file', '--batch', stdin=''.join(
                name + '\n' for name in names).encode(
                    errors='surrogateescape')))
        for _name in names:
            yield batch.read(int(batch.readline().split()[-1]))
            batch.readline()

    def write_blobs(self, contents):
        """Return the ids of blobs that hold contents, bytes each."""
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as folder:
            paths = []
            for number, content in enumerate(contents):
                paths.append(pathlib.Path(folder) / str(number))
                paths[-1].write_bytes(content)
            return self.line(
                'hash-object', '-w', '--no-filters', '--stdin-paths',
                stdin=''.join('%s\n' % path for path in paths).encode()
            ).split()

    def succeeds(self, *args, stdin=b''):
        """Whether a git command ends with exit code 0."""
        return not self.attempt(*args, stdin=stdin).returncode

    def _command(self, args):
        where = ('-C', str(self.path)) if self.path else ()
        settings = [word for setting in _SETTINGS for word in ('-c', setting)]
        return ['git', *where, *settings, *map(str, args)]

    def _environ(self):
        environ = {name: value for name, value in os.environ.items()
                   if not name.startswith('GIT_')}
        environ.update(
            LC_ALL='C.UTF-8', GIT_TERMINAL_PROMPT='0',
            GIT_OPTIONAL_LOCKS='0')
        environ.update(self.environ)
        return environ


def isolated(path, **environ):
    """Return a repository of the tool's own, blind to the user's settings."""
    return Git(path, **dict(
        environ, GIT_CONFIG_NOSYSTEM='1', GIT_CONFIG_GLOBAL=os.devnull))


def bare(folder, repositories=()):
    """Make a bare repository.

    :param folder: its :class:`pathlib.Path`
    :param repositories: a :class:`Git` each; it has their objects, too
    """
    made = isolated(folder)
    made.path.mkdir(parents=True, exist_ok=True)
    made.run('init', '--quiet', '--bare', '--template=',
             '--object-format=sha1')
    (made.path / 'objects/info').mkdir(exist_ok=True)
    (made.path / 'objects/info/alternates').write_text(''.join(
        git.objects_folder() + '\n' for git in repositories))
    return made
