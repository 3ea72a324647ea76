# SPDX-License-Identifier: Apache-2.0

"""Types of numeric arguments."""

import argparse


def at_least(least):
    """Return a type of arguments: whole numbers from one on.

    :param least: the smallest one, an int
    """
    def whole(text):
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or number < least:
            raise argparse.ArgumentTypeError(
                'must be a whole number of %d or more, not %r' %
                (least, text))
        return number

    return whole


def positive(text):
    """Return a float above 0: a type of arguments.

    :raises ArgumentTypeError: the text is none
    """
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float('inf'):
        raise argparse.ArgumentTypeError(
            'must be a number above 0, not %r' % text)
    return number
