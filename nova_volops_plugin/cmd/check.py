# SPDX-License-Identifier: Apache-2.0

"""What the commands that check something have in common."""

import abc
import sys

from cliff import lister

from nova_volops_plugin.cmd import series_options
from nova_volops_plugin import result


class Check(lister.Lister):
    """Lists what came of each thing it looks at, and counts them.

    The exit code says whether one failed.

    :cvar COLUMNS: the heads of the table
    """

    COLUMNS = ()

    @abc.abstractmethod
    def results(self, parsed_args):
        """Yield a :class:`nova_volops_plugin.result.Result` each."""

    def table(self, results):
        """Return columns and rows, as cliff wants them."""
        return self.COLUMNS, [each.cells for each in results]

    def closing(self):
        """Return lines that come before the count."""
        return ()

    def tell(self, line):
        """Write a line that is for a person."""
        self._out.write(line + '\n')
        self._out.flush()

    def take_action(self, parsed_args):
        self.is_table = parsed_args.formatter == 'table'
        # Any other format is for a machine, which gets the rows alone.
        self._out = self.app.stdout if self.is_table else sys.stderr
        self._results = list(self.results(parsed_args))
        return self.table(self._results)

    def run(self, parsed_args):
        super().run(parsed_args)
        for line in self.closing():
            self.tell(line)
        self.tell('%s: %s' % (self.cmd_name.split()[-1],
                              result.count(self._results)))
        failed = any(each.result == result.FAILED for each in self._results)
        return series_options.FOUND if failed else 0
