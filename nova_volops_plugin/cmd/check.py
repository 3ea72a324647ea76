# SPDX-License-Identifier: Apache-2.0

"""Common code of the commands that run checks."""

import abc
import sys
import time

from cliff import lister

from nova_volops_plugin.cmd import series_options
from nova_volops_plugin import machine
from nova_volops_plugin import result


class Counted:
    """Mixed into a cliff command; ``take_action`` fills ``found``.

    At the end it counts what was found, keeps that in the state folder, and
    its exit code says whether something failed.
    """

    def parts(self, parsed_args):
        """Return the Novas that are checked.

        :returns: a list of pairs of a
            :class:`nova_volops_plugin.bases.base.Base` and whether it has
            the series
        """
        # The tree of some topics is not that of the whole series.
        return [] if getattr(parsed_args, 'only', None) else [
            (self.base(parsed_args),
             not getattr(parsed_args, 'unpatched', False))]

    def base(self, parsed_args):
        """Return the base that is checked."""
        return parsed_args.base

    def closing(self):
        """Return lines that come before the count."""
        return ()

    def tell(self, line):
        """Write a line that is for a person."""
        self._out.write(line + '\n')
        self._out.flush()

    def run(self, parsed_args):
        self.is_table = getattr(parsed_args, 'formatter', 'table') == 'table'
        # Any other format is for a machine, which gets the rows alone.
        self._out = self.app.stdout if self.is_table else sys.stderr
        self.found = []
        # The series may change, and the machine has less to do yet.
        trees = {
            base.name + '-unpatched' * (not patched):
            base.tree if patched else base.base_tree
            for base, patched in self.parts(parsed_args)}
        facts, began = machine.facts(), time.monotonic()
        code = super().run(parsed_args)
        for line in self.closing():
            self.tell(line)
        self.tell('%s: %s' % (self.cmd_name.split()[-1],
                              result.count(self.found)))
        counts = result.counts(self.found)
        if code:
            return code
        self.app.state.keep_result(
            [*self.cmd_name.removeprefix('lab ').split(), *trees, getattr(
                parsed_args, 'profile', '')],
            {'command': self.app.words, 'trees': trees, 'counts': counts,
             'seconds': round(time.monotonic() - began, 1), 'machine': facts})
        return series_options.FOUND if counts[result.FAILED] else 0


class Check(Counted, lister.Lister):
    """Lists what came of each thing it looks at.

    :cvar COLUMNS: the heads of the table
    """

    COLUMNS = ()

    @abc.abstractmethod
    def results(self, parsed_args):
        """Yield what is as a :class:`nova_volops_plugin.result.Result`."""

    def table(self, results):
        """Return columns and rows, as cliff wants them."""
        return self.COLUMNS, [each.cells for each in results if each.cells]

    def take_action(self, parsed_args):
        self.found = list(self.results(parsed_args))
        return self.table(self.found)
