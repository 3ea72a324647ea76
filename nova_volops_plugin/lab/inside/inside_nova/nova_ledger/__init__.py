# SPDX-License-Identifier: Apache-2.0

"""Counts the cost of each request to an embedded cloud.

Nothing of Nova is changed: what counts sits around the WSGI application, the
messaging transport, the database engines and the neighbours' fixtures, so that
a patched and an unpatched base are counted alike.
"""


def extend(nova):
    """Count from now on.

    :param nova: an ``embedded_nova.services.EmbeddedNova`` that is up
    :returns: a dict of a prefix and the WSGI application that tells
    """
    from inside_nova.nova_ledger import api
    from inside_nova.nova_ledger import ledger
    from inside_nova.nova_ledger import taps

    book = ledger.Ledger()
    nova.useFixture(taps.Taps(nova, book))
    return {'ledger': api.Api(nova, book)}
