# SPDX-License-Identifier: Apache-2.0

"""What the commands that judge step by step have in common."""

import sys

from cliff import lister

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import progress
from nova_volops_plugin.cmd import series_options


class Verdicts(progress.Progress, lister.Lister):
    """Lists steps that passed or failed, and counts them.

    A subclass yields from ``steps`` pairs of a row, and whether it passed.
    """

    COLUMNS = ()

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser)
        return parser

    def steps(self, parsed_args):
        """Yield pairs of a row, a tuple, and whether it passed."""
        raise NotImplementedError

    def take_action(self, parsed_args):
        # The table is for a person, who wants the count below it.
        self._out = (self.app.stdout if parsed_args.formatter == 'table'
                     else sys.stderr)
        rows = []
        self._passed = self._failed = 0
        for row, passed in self.steps(parsed_args):
            rows.append((*row, 'passed' if passed else 'FAILED'))
            self._passed += passed
            self._failed += not passed
        return (*self.COLUMNS, 'Result'), rows

    def run(self, parsed_args):
        super().run(parsed_args)
        self._out.write('%s: %d passed, %d failed, 0 skipped\n' % (
            self.cmd_name.split()[-1], self._passed, self._failed))
        return series_options.FOUND if self._failed else 0
