# SPDX-License-Identifier: Apache-2.0

"""nova-volops lab rolling: test a cloud during an upgrade."""

import logging

from nova_volops_plugin.cmd import base_option
from nova_volops_plugin.cmd import check
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.rolling import chain
from nova_volops_plugin.lab.rolling import mixed
from nova_volops_plugin.lab.rolling import names

LOG = logging.getLogger(__name__)


class Rolling(check.Check):
    """Run a cloud whose controllers and computes are of two releases.

    One part has the series, the other is unpatched, or an older base with
    its own series; each runs in a process of its own. With --chain one cloud
    is upgraded through several bases, each with its series and the computes
    after the controllers. The exit code is 0 when all is as documented, else
    3.
    """

    COLUMNS = ('Story', 'Step', 'Wanted', 'Found', 'Result')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        base_option.add(parser)
        parser.add_argument(
            '--newer', choices=(mixed.CONTROLLERS, mixed.COMPUTE),
            default=mixed.CONTROLLERS,
            help='which part has the series (default: controllers)')
        base_option.add_named(
            parser, '--older',
            help='run the compute from this older base, with its series')
        base_option.add_named(
            parser, '--chain', nargs='+',
            help='upgrade one cloud, its databases and servers from the '
                 'first of these bases, unpatched, to the last one')
        parser.add_argument(
            '--story', metavar='STORY', action='append', default=[],
            help='story to run; may be repeated (default: all, which are '
                 '%s; with --newer compute %s; with --older %s)' % tuple(
                     map(', '.join, (
                         names.CONTROLLERS_FIRST, names.COMPUTES_FIRST,
                         names.SERIES_ON_BOTH))))
        parser.add_argument(
            '--logs', metavar='DIR', help='folder for Nova\'s logs')
        return parser

    def results(self, parsed_args):
        for step in self._steps(parsed_args):
            LOG.info('%s: %s', step.story, step.step)
            yield step

    def parts(self, parsed_args):
        if parsed_args.chain:
            return [(parsed_args.chain[0], False),
                    *((base, True) for base in parsed_args.chain)]
        return [(parsed_args.base, True), (parsed_args.older, True)
                if parsed_args.older else (parsed_args.base, False)]

    def _steps(self, parsed_args):
        if parsed_args.chain:
            if parsed_args.older or parsed_args.story or (
                    parsed_args.newer == mixed.COMPUTE):
                raise exceptions.BadInput(
                    '--chain has a story of its own; leave out --older, '
                    '--story and --newer')
            if not parsed_args.chain[1:]:
                raise exceptions.BadInput(
                    '--chain upgrades a cloud and needs two bases or more, '
                    'the oldest first')
            return chain.run(self.app.state, parsed_args.chain,
                             parsed_args.logs)
        if parsed_args.older and parsed_args.newer == mixed.COMPUTE:
            raise exceptions.BadInput(
                'with --older the controllers are the newer part; leave out '
                '--newer')
        _require_stories(
            parsed_args.story,
            names.SERIES_ON_BOTH if parsed_args.older else
            names.CONTROLLERS_FIRST if parsed_args.newer == mixed.CONTROLLERS
            else names.COMPUTES_FIRST)
        return mixed.run(
            self.app.state, parsed_args.base, parsed_args.newer,
            parsed_args.story, parsed_args.logs, parsed_args.older)


def _require_stories(asked, known):
    for name in asked:
        if name not in known:
            raise exceptions.BadInput(
                'there is no story %r of these parts; there are: %s' %
                (name, ', '.join(known)))
