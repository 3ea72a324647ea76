# SPDX-License-Identifier: Apache-2.0

"""Arguments that name a base."""

from nova_volops_plugin.bases import base as nova_base


def add(parser, what='the base whose Nova is run', more=()):
    """Add ``--base``, by default the one of the newest Nova.

    :param what: what it is, for the help
    :param more: words that are no base, and stay what they are
    """
    newest = nova_base.default()
    add_named(parser, '--base', more, default=newest,
              help='%s (default: %s)' % (what, newest))


def add_named(parser, name, more=(), **kwargs):
    """Add an argument that gives a :class:`nova_base.Base`.

    :param name: the argument's
    :param more: as in :func:`add`
    :param kwargs: those of ``add_argument``
    """
    parser.add_argument(
        name, metavar='BASE', type=lambda word: word if word in more
        else nova_base.Base.load(word), **kwargs)
