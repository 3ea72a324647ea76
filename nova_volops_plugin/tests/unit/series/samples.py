# SPDX-License-Identifier: Apache-2.0

"""A small Nova, its source distribution and series of patches for it."""

import atexit
import contextlib
import hashlib
import io
import pathlib
import random
import shutil
import tarfile

import fixtures
import testtools

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import git
from nova_volops_plugin.series import checkout
from nova_volops_plugin.series import export
from nova_volops_plugin.series import series_file
from nova_volops_plugin.series import tree
from nova_volops_plugin import state
from nova_volops_plugin.tests.unit.series import topic_samples

AUTHOR = 'A Developer <a@example.org>'
# Of whoever commits without a say.
IDENTITY = {'GIT_%s_%s' % (who, what): 'c@example.org'
            for who in ('AUTHOR', 'COMMITTER') for what in ('NAME', 'EMAIL')}
_templates = {}
ZERO_TREE = '0' * 40

FILES = {
    'PKG-INFO': 'Metadata-Version: 2.1\nName: nova\nVersion: %(version)s\n',
    'README.rst': 'Nova\n',
    'nova/__init__.py': '',
    'nova/compute/__init__.py': '',
    'nova/compute/manager.py': ''.join(
        'line_%d = %d\n' % (number, number) for number in range(40)),
    'nova/api/openstack/api_version_request.py':
        "_MAX_API_VERSION = '2.10'\n",
    'nova/tests/__init__.py': '',
    'nova/tests/unit/compute/test_manager.py': 'import unittest\n',
}
METADATA = {
    'nova.egg-info/entry_points.txt': '[console_scripts]\n',
    'AUTHORS': 'somebody\n',
    'ChangeLog': 'something\n',
}
CONF = """\
[sdist]
version = %(version)s
sha256 = %(sha256)s
tree = %(base_tree)s

[python]
versions = 3.11 3.12 3.13 3.10
installer = pip==24.0

[threads]
modes = native eventlet

[microversions]
base = 2.10
series = 2.10
attach_mode = 2.10
multi_create = 2.10
shelved = 2.10
rebuild = 2.10

[cloud]
compute_api = module
vif_type = tap
enforce_scope = yes

[series]
tree = %(base_tree)s
"""


def sdist(path, version, files, members=()):
    """Write a source distribution.

    :param files: a dict of path and text
    :param members: further :class:`tarfile.TarInfo`, as they are
    """
    with tarfile.open(path, 'w:gz') as archive:
        for name, text in files.items():
            member = tarfile.TarInfo('nova-%s/%s' % (version, name))
            content = text.encode()
            member.size = len(content)
            member.mtime = 1700000000
            archive.addfile(member, io.BytesIO(content))
        for member in members:
            archive.addfile(member, io.BytesIO(b'x' * member.size))


def message(subject, change_id=None):
    """Return a commit message as lint wants it."""
    change_id = change_id or 'I%040x' % random.Random(subject).getrandbits(160)
    return '%s\n\nSay why.\n\nUpstream-Status: Pending\nChange-Id: %s\n' \
        'Signed-off-by: %s\n' % (subject, change_id, AUTHOR)


def repository(path):
    """Return the git of a work tree, for commits of whoever runs tests."""
    return git.isolated(path, **IDENTITY)


def write_program(path, text):
    """Write a program and the folder that it is in; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def cloned(source, path):
    """Clone a repository; return the git of the clone."""
    git.isolated(None).run('clone', '-q', source, path)
    return repository(path)


def _replace(source, target):
    # git's objects are read-only.
    pathlib.Path(target).unlink(missing_ok=True)
    return shutil.copy2(source, target)


class Series(fixtures.Fixture):
    """A folder of bases and a state folder, both empty at first."""

    def _setUp(self):
        top = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.top = top
        self.root = top / 'nova-patches'
        self.root.mkdir()
        self.state = state.StateDir(top / 'state')

    def add(self, name, version='1.0.0', **changed):
        """Make a base without patches.

        :param changed: path with ``__`` for ``/`` and ``_py`` for ``.py``,
            and the text it has instead, None for no such file
        :returns: its :class:`nova_volops_plugin.bases.base.Base`
        """
        files = {path: text.replace('%(version)s', version)
                 for path, text in dict(FILES, **METADATA).items()}
        for path, text in changed.items():
            files[path.replace('__', '/').replace('_py', '.py')] = text
        files = {path: text for path, text in files.items()
                 if text is not None}
        archive = self.state.sdists / ('nova-%s.tar.gz' % version)
        sdist(archive, version, files)
        values = {
            'version': version,
            'sha256': hashlib.sha256(archive.read_bytes()).hexdigest(),
            'base_tree': self._tree(files)}
        folder = self.root / name
        folder.mkdir()
        (folder / 'base.conf').write_text(CONF % values)
        (folder / 'series').write_text('')
        (folder / 'constraints.txt').write_text('')
        return self.load(name)

    def load(self, name):
        return nova_base.Base.load(name, self.root)

    def fetch(self, name):
        """Return a base's fetched tree and its git."""
        path = tree.fetch(self.state, self.load(name))
        return path, repository(path)

    def clone(self, name):
        """Return a clone of a base's fetched tree, for commits of patches."""
        path, _git = self.fetch(name)
        clone = self.top / ('clone-' + name)
        return clone, cloned(path, clone)

    def commit(self, path, files, text):
        """Commit files (a dict of path and text, None deletes one)."""
        for name, content in files.items():
            if content is None:
                (path / name).unlink()
            else:
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (path / name).write_text(content)
        author, email = AUTHOR[:-1].split(' <')
        count = repository(path).line('rev-list', '--count', 'HEAD')
        date = '2026-01-01T00:00:%02d +0000' % int(count)
        own = repository(path).using(
            GIT_AUTHOR_NAME=author, GIT_AUTHOR_EMAIL=email,
            GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
        own.run('add', '-A')
        own.run('commit', '-q', '-F', '-', stdin=text.encode())

    def names(self, name):
        """Return the file names of a base's patches, a tuple."""
        return series_file.SeriesFile.load(self.root / name / 'series').patches

    def export(self, name, path, alone=False):
        """Export the commits of a tree."""
        base = self.load(name)
        fetched = self.fetch(name)[1]
        own = checkout.Checkout(path, git.isolated(path))
        return export.export(
            base, fetched, own, export.start(own, base), self.root,
            alone)

    def add_patched(self, name, version='1.0.0'):
        """Make a base with a series of three patches.

        ``clone-NAME`` next to the folder of the bases is a tree with its
        commits.
        """
        return self._copy(name, version, Series._patched)

    def add_topics(self, name):
        """Make a base with a series of the topics in ``topic_samples``."""
        return self._copy(name, '1.0.0', Series._of_topics)

    def _copy(self, name, version, make):
        """Make a base once a process, and copy it after that."""
        template = _templates.get((name, make))
        if not template:
            template = _templates[name, make] = Series()
            template.setUp()
            atexit.register(template.cleanUp)
            make(template, name, version)
        for path in template.top.iterdir():
            shutil.copytree(path, self.top / path.name, symlinks=True,
                            copy_function=_replace, dirs_exist_ok=True)
        return self.load(name)

    def _patched(self, name, version):
        self.add(name, version)
        clone, _git = self.clone(name)
        manager = (clone / 'nova/compute/manager.py').read_text()
        self.commit(clone, {'nova/compute/reimage.py': 'VALUE = 1\n'},
                    message('Add a module'))
        self.commit(
            clone, {'nova/compute/manager.py': manager.replace(
                'line_20 = 20', 'line_20 = 21'),
                'doc/notes.rst': 'Notes\n'},
            message('compute: Change a line'))
        self.commit(
            clone, {'nova/api/openstack/api_version_request.py':
                    "_MAX_API_VERSION = '2.11'\n",
                    'nova/tests/unit/compute/test_reimage.py':
                    'import unittest\n'},
            message('api: Add microversion 2.11'))
        self.export(name, clone)

    def _of_topics(self, name, version):
        self.add(name, version, **topic_samples.files())
        clone, _git = self.clone(name)
        for subject in topic_samples.TOPICS:
            self.commit_topics(clone, subject)
        self.export(name, clone)
        self.head(name, topic_samples.HEADINGS)
        self.export(name, clone)

    def commit_topics(self, path, subject):
        """Make the commit of a patch of ``topic_samples``."""
        subjects = list(topic_samples.TOPICS)
        self.commit(path, topic_samples.files(
            subjects[:subjects.index(subject) + 1]), message(subject))

    def head(self, name, headings):
        """Write headings into a series.

        :param headings: a dict of slug and the line before that patch
        """
        path = self.root / name / 'series'
        lines = [line for line in path.read_text().splitlines()
                 if not line.startswith('# topic')]
        path.write_text(''.join(
            (headings[line[5:-6]] + '\n' if line[5:-6] in headings else '') +
            line + '\n' for line in lines))

    def _tree(self, files):
        folder = self.top / ('source-%d' % len(list(self.top.iterdir())))
        folder.mkdir()
        own = repository(folder)
        own.run('init', '-q')
        for name, text in files.items():
            if name not in METADATA:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
        own.run('add', '-A')
        return own.line('write-tree')


class NoIndex(fixtures.Fixture):
    """pip finds no index: as without a network, but at once."""

    def _setUp(self):
        for name, value in (('PIP_NO_INDEX', '1'), ('PIP_FIND_LINKS', ''),
                            ('PIP_CONFIG_FILE', '/dev/null')):
            self.useFixture(fixtures.EnvironmentVariable(name, value))


class TestCase(testtools.TestCase):
    """With a :class:`Series`."""

    def setUp(self):
        super().setUp()
        self.series = self.useFixture(Series())

    def edit(self, path, old, new):
        """Replace a text that a file has, relative to the bases' folder."""
        path = self.series.root / path
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    @contextlib.contextmanager
    def unchanged(self):
        """Assert that no file of the bases changes while this lasts."""
        before = snapshot(self.series.root)
        yield
        self.assertEqual(before, snapshot(self.series.root))

    def assertRefused(self, error, words, function, *args, **kwargs):
        """Assert that a call raises an error that says certain words."""
        raised = self.assertRaises(error, function, *args, **kwargs)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, str(raised))
        return raised


class PatchedTestCase(TestCase):
    """With a base "one" that has a series, and its fetched tree."""

    def setUp(self):
        super().setUp()
        self.base = self.series.add_patched('one')
        self.path, self.git = self.series.fetch('one')
        self.tree = checkout.Checkout(self.path, self.git)


def snapshot(path):
    """Return every file below a folder but git's, with its bytes."""
    return {str(file.relative_to(path)): file.read_bytes()
            for file in sorted(path.rglob('*'))
            if file.is_file() and '.git' not in file.parts}
