# SPDX-License-Identifier: Apache-2.0

"""The exceptions of the tool, with messages that say how to fix them."""


class VolopsError(Exception):
    """A failure the user can fix; shown as one message, without a trace.

    :cvar exit_code: the process's exit code (see doc/source/reference).
    """

    exit_code = 1


class BadInput(VolopsError):
    """The request itself is wrong; nothing was changed."""

    exit_code = 2


class CloudDown(VolopsError):
    """The cloud that is asked is not up."""

    exit_code = 3
