# SPDX-License-Identifier: Apache-2.0

"""nova-volops lab bench: compare the series with unpatched Nova."""

import pathlib

from cliff import lister

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import cloud_options
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin.lab.bench import catalog
from nova_volops_plugin.lab.bench import plot
from nova_volops_plugin.lab.bench import run
from nova_volops_plugin.lab.bench import runner
from nova_volops_plugin.lab.bench import table


class Bench(cloud_options.CloudOptions, lister.Lister):
    """Measure variants of the same operation, alternating in one run.

    A row is a variant at a size: the median and the quartiles of the seconds,
    the ratio of its median to that of the last variant, and the number of
    requests to the services. The last result of each benchmark is kept in the
    state folder.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser)
        parser.add_argument(
            '--repeat', metavar='N', type=numbers.at_least(1),
            default=run.REPEAT,
            help='how often each variant is measured at each size (default: '
                 '%d)' % run.REPEAT)
        parser.add_argument(
            '--most', metavar='N', type=numbers.positive,
            help='skip sizes above N')
        parser.add_argument(
            '--stored', action='store_true',
            help='show the last results without measuring')
        parser.add_argument(
            '--document', metavar='DIR',
            help='also write tables and plots to this folder, those of '
                 'earlier runs included')
        parser.add_argument(
            '--no-plots', dest='plots', action='store_false',
            help='with --document, write no plots')
        parser.add_argument(
            'benchmark', metavar='NAME', nargs='*',
            help='what to measure: %s (default: all)' % ', '.join(
                benchmark.NAME for benchmark in catalog.BENCHMARKS))
        return parser

    def take_action(self, parsed_args):
        chosen = catalog.choose(parsed_args.benchmark, parsed_args.profile)
        if parsed_args.document and parsed_args.plots:
            plot.require()
        folder = self.app.state.bench
        if parsed_args.stored:
            found = runner.stored(
                folder, parsed_args.base, chosen, parsed_args.profile)
        else:
            found = list(runner.run(
                self.app.state, parsed_args.base, chosen, parsed_args.repeat,
                parsed_args.most, parsed_args.profile))
        if parsed_args.document:
            table.write(
                pathlib.Path(parsed_args.document),
                runner.stored(folder, parsed_args.base, catalog.BENCHMARKS,
                              parsed_args.profile),
                catalog.BENCHMARKS, parsed_args.plots)
        return table.COLUMNS, [
            row for result in found for row in table.rows(result)]
