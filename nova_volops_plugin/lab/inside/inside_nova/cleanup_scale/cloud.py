# SPDX-License-Identifier: Apache-2.0

"""The servers, volumes and attachments of a cloud of a given size.

Servers are numbered in the order of their UUIDs, from 0. In the database they
come in another order, as servers with random UUIDs do.
"""

import math
import uuid

VOLUMES = 2
# Of every so many servers the first has an attachment that Cinder lacks.
DANGLING = 1000
# No number of servers that is a power of ten divides by it.
_STRIDE = 7919


def order(number):
    """Yield the numbers of all servers as they are in the database."""
    stride = _STRIDE
    while math.gcd(stride, number) != 1:
        stride += 2
    for place in range(number):
        yield place * stride % number


def server(number):
    """Return the UUID of a server."""
    return _uuid(number, 0xa)


def volume(number, which):
    """Return the UUID of one of the volumes of a server."""
    return _uuid(number, 0xb0 + which)


def attachment(number, which):
    """Return the UUID of the attachment of a volume."""
    return _uuid(number, 0xc0 + which)


def of_attachment(attachment_id):
    """Return the numbers that :func:`attachment` made a UUID of."""
    value = uuid.UUID(attachment_id).int
    return value >> 96, value & 0xf


def is_lost(number, which, dangling):
    """Whether Cinder lacks an attachment."""
    return dangling and which == 0 and number % DANGLING == 0


def _uuid(number, rest):
    return str(uuid.UUID(int=(number << 96) + rest))
