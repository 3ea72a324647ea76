# SPDX-License-Identifier: Apache-2.0

"""Shows progress and errors on stderr."""

import logging

_CLEAR = '\r\033[K'


class Handler(logging.Handler):
    """Of this package's loggers.

    On a terminal each record is a line, and one with a true attribute
    ``counter`` gives way to the next. Elsewhere a line says what long work
    begins with, and no other of it comes.

    :param stream: what is written to
    :param quiet: whether to show errors alone
    """

    def __init__(self, stream, quiet=False):
        super().__init__(logging.WARNING if quiet else logging.INFO)
        self._stream = stream
        self._began = False
        self._counts = False

    def emit(self, record):
        counts = getattr(record, 'counter', False)
        if record.levelno == logging.INFO and not self._stream.isatty():
            if counts or self._began:
                return
            self._began = True
        error = record.msg
        if isinstance(error, OSError) and error.strerror:
            record.msg = ': '.join(filter(None, (
                error.filename and str(error.filename), error.strerror)))
        self._stream.write('%s%s%s' % (
            _CLEAR * self._counts, self.format(record), '\n' * (not counts)))
        self._stream.flush()
        self._counts = counts
