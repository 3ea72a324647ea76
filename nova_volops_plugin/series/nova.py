# SPDX-License-Identifier: Apache-2.0

"""A Nova that can run: a tree of a base with its environment."""

from concurrent import futures
import dataclasses
import pathlib

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import environment
from nova_volops_plugin.series import tree as series_tree


# A tree that is not installed has no console scripts.
_SCRIPT = 'import sys; from nova.cmd.%s import main; ' \
    'sys.argv[0] = "nova-%s"; sys.exit(main())'


def script(name):
    """Return Python that runs a command, such as manage, on ``sys.argv``.

    :param name: that of its module in ``nova.cmd``
    """
    return _SCRIPT % (name, name)


@dataclasses.dataclass(frozen=True)
class Nova:
    """Where one is.

    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param tree: the :class:`pathlib.Path` of its code
    :param env: that of its environment
    """

    base: nova_base.Base
    tree: pathlib.Path
    env: pathlib.Path

    @property
    def python(self):
        """The path of its interpreter, a str."""
        return str(self.env / 'bin/python')


def ensure(state, base, patched=True, extras=(), only=None):
    """Return the :class:`Nova` of a base; what is missing is made.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param patched: with the series or as released
    :param extras: as in :func:`environment.ensure`
    :param only: the names of topics, as in :func:`series_tree.ensure`
    :raises VolopsError: the tree or the environment cannot be made
    """
    # Both take processors, and neither needs the other. What an interrupt has
    # to end, pip, is in this thread.
    with futures.ThreadPoolExecutor(1) as pool:
        tree = pool.submit(
            series_tree.ensure, state, base, patched, only=only)
        env = environment.ensure(state, base, extras)
        return Nova(base, tree.result(), env)
