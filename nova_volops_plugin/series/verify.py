# SPDX-License-Identifier: Apache-2.0

"""Proves that a base and its series give the recorded tree."""

import dataclasses
import tempfile

from nova_volops_plugin.bases import git as bases_git
from nova_volops_plugin.bases import repository
from nova_volops_plugin.series import patch as series_patch
from nova_volops_plugin.series import stack


@dataclasses.dataclass(frozen=True)
class Result:
    """One base's proof.

    :param patches: how many the series has
    :param tree: the git tree id they give, '' when one does not apply
    :param problem: what is wrong, '' when nothing is
    """

    patches: int
    tree: str
    problem: str


def verify(base, fetched):
    """Apply the series to a base without a checkout; compare the tree id.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param fetched: the folder of a tree that has the released base
    :raises BadInput: the series or a patch is malformed
    """
    patches = series_patch.load(base)
    with tempfile.TemporaryDirectory(prefix='nova-volops-') as objects:
        git = bases_git.isolated(fetched).scratch(objects)
        released = git.line('rev-parse', repository.tag(base) + '^{tree}')
        if released != base.base_tree:
            return Result(
                len(patches), released,
                '%s has the tree %s at %s, base.conf records %s; delete it '
                'and fetch again' %
                (fetched, released, base.version, base.base_tree))
        try:
            tree = stack.tree(git, released, patches)
        except stack.DoesNotApply as error:
            return Result(len(patches), '', str(error))
    problem = '' if tree == base.tree else (
        'base.conf records the tree %s; if the patches are as they should '
        'be, write it down by "nova-volops patch export"' % base.tree)
    return Result(len(patches), tree, problem)
