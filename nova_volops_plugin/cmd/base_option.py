# SPDX-License-Identifier: Apache-2.0

"""Arguments that name a base."""

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.bases import python


def add(parser, what='the base whose Nova is run', more=()):
    """Add ``--base``, by default the newest that a Python here runs.

    :param what: what it is, for the help
    :param more: words that are no base, and stay what they are
    """
    default = python.newest_base()
    add_named(parser, '--base', more, default=default,
              help='%s (default: %s, the newest for which there is a Python)'
                   % (what, default))


def add_named(parser, name, more=(), **kwargs):
    """Add an argument that gives a :class:`nova_base.Base`.

    :param name: the argument's
    :param more: as in :func:`add`
    :param kwargs: those of ``add_argument``
    """
    parser.add_argument(
        name, metavar='BASE', type=lambda word: word if word in more
        else nova_base.Base.load(word), **kwargs)
