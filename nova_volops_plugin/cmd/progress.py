# SPDX-License-Identifier: Apache-2.0

"""Progress: for a person who watches, never in a log or a pipe."""

import sys


class Progress:
    """Mixed into a cliff command."""

    def progress(self, text):
        """Show one line of text on a terminal's stderr."""
        if sys.stderr.isatty() and self.app.options.verbose_level:
            sys.stderr.write('%s\n' % text)
