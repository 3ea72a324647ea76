# SPDX-License-Identifier: Apache-2.0

"""A base: a Nova release that the series applies to, and its data."""

import dataclasses
import pathlib
import re

from nova_volops_plugin.bases import files
from nova_volops_plugin.bases import microversion
from nova_volops_plugin.bases import threads
from nova_volops_plugin import exceptions
from nova_volops_plugin import patches_folder

NAME = re.compile(r'[a-z0-9][a-z0-9.]{0,30}')

_TREE = r'[0-9a-f]{40}', 'a git tree id of 40 digits'
# Every option of base.conf: section, option, what its value looks like. Those
# of section "topics" have the names of topics.
_OPTIONS = {
    ('sdist', 'version'): (r'\d+\.\d+\.\d+', 'a version such as 34.0.0'),
    ('sdist', 'sha256'): (r'[0-9a-f]{64}', '64 hexadecimal digits'),
    ('sdist', 'tree'): _TREE,
    ('python', 'versions'): (
        r'3\.\d+( 3\.\d+)*', 'Python versions such as "3.11 3.12"'),
    ('python', 'installer'): (
        r'[\w.-]+==[\w.]+( [\w.-]+==[\w.]+)*',
        'pinned requirements such as "pip==24.0 wheel==0.37.1"'),
    ('threads', 'modes'): (
        r'native( eventlet)?|eventlet( native)?',
        'what Nova runs with, its default first: "native eventlet"'),
    ('threads', 'functional'): (
        'native|eventlet', 'what alone the functional tests run with'),
    ('microversions', 'base'): (r'2\.\d+', 'a microversion such as 2.104'),
    ('microversions', 'series'): (r'2\.\d+', 'a microversion such as 2.106'),
    **{('microversions', feature): (r'2\.\d+', 'a microversion such as 2.105')
       for feature in microversion.FEATURES},
    ('cloud', 'compute_api'): (
        'module|green|server', 'how its API is run: "module" of WSGI, "green" '
        'module that eventlet patches, or "server"'),
    ('cloud', 'vif_type'): (
        'tap|bridge', 'an interface that it takes: "tap" or "bridge"'),
    ('cloud', 'enforce_scope'): (
        'yes|no', 'whether its policies know scopes: "yes" or "no"'),
    ('series', 'tree'): _TREE,
    ('series', 'behind'): (
        r'{0}( {0})*'.format('([a-z][a-z0-9-]*|I[0-9a-f]{40})'),
        'topics and Change-Ids, a blank between them'),
    **{('tested', mode): _TREE for mode in threads.MODES},
}
# What need not be there.
_OPTIONAL = {('threads', 'functional'), ('series', 'behind'),
             *(('tested', mode) for mode in threads.MODES)}


def names(root=None):
    """Return the sorted names of all bases.

    :param root: the folder of the bases' folders; by default
        :func:`nova_volops_plugin.patches_folder.root`
    :raises BadInput: it is no folder, or holds no base
    """
    root = pathlib.Path(root) if root else patches_folder.root()
    if not root.is_dir():
        raise exceptions.BadInput('%s is not a folder of patches' % root)
    found = patches_folder.names(root)
    if not found:
        raise exceptions.BadInput(
            '%s holds no base, which is a folder with a base.conf; name the '
            'folder that all bases are in' % root)
    return found


def load_all(root=None):
    """Return a list of the :class:`Base` of each of :func:`names`.

    :raises BadInput: a base.conf is malformed
    """
    return [Base.load(name, root) for name in names(root)]


def default(root=None):
    """Return the :class:`Base` of the newest Nova."""
    return max(load_all(root), key=lambda base: base.release)


def sample(root=None):
    """Return the bases for checks that take long, the newest first.

    They are the newest, the oldest and one of the others, which is another one
    when the series has changed.

    :returns: a list of names
    """
    newest, *others = sorted(
        load_all(root), key=lambda base: base.release, reverse=True)
    chosen = [newest, *others[-1:]]
    if others[:-1]:
        chosen.insert(1, others[int(newest.tree, 16) % len(others[:-1])])
    return [base.name for base in chosen]


@dataclasses.dataclass(frozen=True)
class Base:
    """What base.conf says, checked.

    :param name: as its folder is called
    :param path: the :class:`pathlib.Path` of its folder
    :param version: of the source distribution on PyPI
    :param sha256: of the source distribution
    :param base_tree: the git tree id of the unpacked distribution, without
        nova.egg-info, AUTHORS and ChangeLog
    :param tree: the git tree id after the last patch
    :param pythons: the Python versions it runs on, preferred ones first
    :param installer: pins of what installs the environment, such as pip
    :param modes: the kinds of threads its services run with, the release's
        default first: some of :data:`nova_volops_plugin.bases.threads.MODES`
    :param functional_modes: those of them that its functional tests run with
    :param microversions: the last one of the base and of the series
    :param features: the microversion of each feature, a dict of str
    :param compute_api: how its compute API is run, ``module``, ``green`` or
        ``server``
    :param vif_type: of interfaces that it takes without a network agent
    :param enforce_scope: whether its policies know scopes
    :param tested: the git tree id with which all tests that the series adds
        last passed, by the kind of threads they ran with
    :param behind: the topics and Change-Ids in which it may lag behind the
        other bases for a while, a frozenset of str
    :param topics: the git tree id that each topic gives with all it needs, a
        dict of str
    """

    name: str
    path: pathlib.Path
    version: str
    sha256: str
    base_tree: str
    tree: str
    pythons: tuple
    installer: tuple
    modes: tuple
    functional_modes: tuple
    microversions: tuple
    features: dict = dataclasses.field(hash=False)
    compute_api: str
    vif_type: str
    enforce_scope: bool
    tested: dict = dataclasses.field(hash=False)
    behind: frozenset = frozenset()
    topics: dict = dataclasses.field(hash=False, default_factory=dict)

    def __str__(self):
        return self.name

    @classmethod
    def load(cls, name, root=None):
        """Read one base.

        :param name: the base's name
        :param root: as in :func:`names`
        :raises BadInput: there is no such base, or base.conf is malformed
        """
        root = pathlib.Path(root) if root else patches_folder.root()
        known = names(root)
        if name not in known or not NAME.fullmatch(name):
            raise exceptions.BadInput(
                'there is no base %r; the bases are: %s' %
                (name, ', '.join(known)))
        path = root / name
        value = _checked(path / 'base.conf')
        return cls(
            name=name,
            path=path,
            version=value['sdist', 'version'],
            sha256=value['sdist', 'sha256'],
            base_tree=value['sdist', 'tree'],
            tree=value['series', 'tree'],
            pythons=tuple(value['python', 'versions'].split()),
            installer=tuple(value['python', 'installer'].split()),
            modes=tuple(value['threads', 'modes'].split()),
            functional_modes=tuple(value.get(
                ('threads', 'functional'),
                value['threads', 'modes']).split()),
            microversions=(value['microversions', 'base'],
                           value['microversions', 'series']),
            features={feature: value['microversions', feature]
                      for feature in microversion.FEATURES},
            compute_api=value['cloud', 'compute_api'],
            vif_type=value['cloud', 'vif_type'],
            enforce_scope=value['cloud', 'enforce_scope'] == 'yes',
            tested={mode: value['tested', mode] for mode in threads.MODES
                    if ('tested', mode) in value},
            behind=frozenset(value.get(('series', 'behind'), '').split()),
            topics={name: tree for (section, name), tree in value.items()
                    if section == 'topics'})

    @property
    def release(self):
        """The version as a tuple of int, by which the bases are ordered."""
        return tuple(int(part) for part in self.version.split('.'))

    @property
    def constraints(self):
        """The path of the environment's pinned requirements."""
        return self.path / 'constraints.txt'

    @property
    def sdist(self):
        """The file name of the source distribution."""
        return 'nova-%s.tar.gz' % self.version


def _checked(path):
    conf = files.read_conf(path)
    value = {}
    topics = conf.options('topics') if conf.has_section('topics') else ()
    options = _OPTIONS | {('topics', name): _TREE for name in topics}
    for (section, option), (pattern, looks) in options.items():
        text = conf.get(section, option, fallback=None)
        if text is None and (section, option) in _OPTIONAL:
            continue
        if text is None:
            raise exceptions.BadInput(
                '%s lacks option %r in section [%s]: %s' %
                (path, option, section, looks))
        if not re.fullmatch(pattern, text, re.ASCII):
            raise exceptions.BadInput(
                '%s: option %r in section [%s] is %r, which is not %s' %
                (path, option, section, text[:80], looks))
        value[section, option] = text
    for section in conf.sections():
        for option in conf.options(section):
            if (section, option) not in value:
                raise exceptions.BadInput(
                    '%s: option %r in section [%s] is not known' %
                    (path, option, section))
    return value
