# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Counts what each request to an embedded cloud costs, inside its process.

Nothing of Nova is changed: what counts sits around the WSGI application, the
messaging transport, the database engines and the neighbours' fixtures, so that
a patched and an unpatched base are counted alike.
"""


def extend(nova):
    """Count from now on.

    :param nova: an ``embedded_nova.services.EmbeddedNova`` that is up
    :returns: a dict of a prefix and the WSGI application that tells
    """
    from nova_ledger import api
    from nova_ledger import ledger
    from nova_ledger import taps

    book = ledger.Ledger()
    nova.useFixture(taps.Taps(nova, book))
    return {'ledger': api.Api(nova, book)}
