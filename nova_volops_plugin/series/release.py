# SPDX-License-Identifier: Apache-2.0

"""The release of a tree of Nova, and its distance from the base's."""

import re

_VERSION = re.compile(r'^Version: (\d+\.\d+\.\d+\S*)', re.MULTILINE)
_TAGS = ('--tags', '--match', '[0-9]*.*.*')
# How far below a commit the release's files are looked for.
_DEPTH = 500
NONE = 'none'
UNKNOWN = 'unknown'


def version(tree):
    """Return a tree's version such as "34.0.0", None when it has none.

    :param tree: what :func:`nova_volops_plugin.series.detect.open_tree`
        returns
    """
    for pattern in ('PKG-INFO', 'nova-*.dist-info/METADATA',
                    'nova-*.egg-info/PKG-INFO', 'nova-*.egg-info'):
        for path in sorted(tree.path.glob(pattern)):
            if path.is_file():
                match = _VERSION.search(path.read_text(errors='replace'))
                if match:
                    return match[1]
    if tree.kind == 'git':
        tag = tree.git.attempt('describe', '--abbrev=0', *_TAGS).stdout
        if re.match(rb'\d+\.\d+\.\d+', tag):
            return tag.decode().strip()
    return None


def distance(base, found):
    """Say how far a version is from that of a base.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param found: what :func:`version` returns
    :returns: a few words, NONE or UNKNOWN
    """
    return _after(base, 0, found) if found else UNKNOWN


def distance_of_commit(base, git, commit):
    """Say how far a commit is from a base as released.

    It is counted from the newest commit with the release's files, else from
    the newest release tag, as ``git describe`` does.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :returns: as :func:`distance` does
    """
    trees = git.line('log', '--first-parent', '-n', _DEPTH, '--format=%T',
                     commit).split()
    if base.base_tree in trees:
        return _after(base, trees.index(base.base_tree), base.version)
    described = re.fullmatch(
        r'(.+)-(\d+)-g[0-9a-f]+\n', git.attempt(
            'describe', '--long', *_TAGS, commit).stdout.decode())
    if described:
        return _after(base, int(described[2]), described[1])
    return UNKNOWN


def _after(base, commits, found):
    if found == base.version and not commits:
        return NONE
    words = '%d commit%s after %s' % (
        commits, 's' * (commits != 1), found) if commits else 'nova ' + found
    if found != base.version:
        words += '; the series is for ' + base.version
    return words
