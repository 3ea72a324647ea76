# SPDX-License-Identifier: Apache-2.0

"""nova-volops rolling: a cloud in the middle of its upgrade."""

from nova_volops_plugin.cmd import verdicts
from nova_volops_plugin.rolling import mixed


class Rolling(verdicts.Verdicts):
    """Run a cloud whose controllers and computes are of two releases.

    One part has the series, the other is as released; each runs in a process
    of its own. The exit code is 0 when all came as documented, else 3.
    """

    COLUMNS = ('Story', 'Step', 'Wanted', 'Found')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--newer', choices=(mixed.CONTROLLERS, mixed.COMPUTE),
            default=mixed.CONTROLLERS,
            help='which part has the series (default: controllers)')
        parser.add_argument(
            '--story', metavar='STORY', action='append', default=[],
            help='only this story; may be repeated (default: all)')
        parser.add_argument(
            '--logs', metavar='DIR', help='write there what Nova logs')
        return parser

    def steps(self, parsed_args):
        for step in mixed.run(
                self.app.state, parsed_args.base, parsed_args.newer,
                parsed_args.story, parsed_args.logs, self.progress):
            self.progress('%s: %s' % (step.story, step.step))
            yield (step.story, step.step, step.wanted,
                   '; '.join((step.found, *step.broken))), step.passed
