# SPDX-License-Identifier: Apache-2.0

"""The option that names a base."""

from nova_volops_plugin.bases import base as nova_base


def add(parser, what='the base whose Nova is run'):
    """Add ``--base``, by default the one of the newest Nova.

    :param what: what it is, for the help
    """
    newest = nova_base.default()
    parser.add_argument(
        '--base', metavar='BASE', default=newest,
        help='%s (default: %s)' % (what, newest))
