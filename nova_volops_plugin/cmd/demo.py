# SPDX-License-Identifier: Apache-2.0

"""nova-volops demo: what the series adds, told over REST."""

import contextlib
import sys

from cliff import lister

from nova_volops_plugin.cmd import cloud_options
from nova_volops_plugin.cmd import series_options
from nova_volops_plugin.scenarios import catalog
from nova_volops_plugin.scenarios import claims
from nova_volops_plugin.scenarios import runner

HOSTS = 2


class Demo(cloud_options.CloudOptions, lister.Lister):
    """Tell the features' stories on a cloud, and check every claim.

    A cloud that is up is used and stays up; else one is started and stopped.
    The exit code is 0 when no claim failed, else 3.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_what_runs(parser)
        parser.add_argument(
            'scenario', metavar='SCENARIO', nargs='*',
            help='the stories to tell: %s (default: these), or %s' % tuple(
                ', '.join(scenario.NAME for scenario in scenarios)
                for scenarios in (
                    catalog.SCENARIOS, catalog.LONG_SCENARIOS)))
        return parser

    def take_action(self, parsed_args):
        # The story is for a person; a machine gets the claims alone.
        self._out = (self.app.stdout if parsed_args.formatter == 'table'
                     else sys.stderr)
        show = (self._write if parsed_args.formatter == 'table'
                else self.progress)
        scenarios = catalog.choose(parsed_args.scenario)
        with self._running(parsed_args) as cloud:
            self._claims = runner.run(cloud, show, scenarios)
        return ('Scenario', 'Claim', 'Outcome', 'Evidence'), [
            (claim.scenario, claim.text, claim.outcome, claim.evidence)
            for claim in self._claims]

    def run(self, parsed_args):
        super().run(parsed_args)
        self._write('demo: ' + claims.count(self._claims))
        failed = any(claim.outcome == claims.FAILED
                     for claim in self._claims)
        return series_options.FOUND if failed else 0

    def _write(self, line):
        self._out.write(line + '\n')
        self._out.flush()

    @contextlib.contextmanager
    def _running(self, parsed_args):
        hosts = sum(
            service.name.startswith('nova-compute') and
            service.state == 'up'
            for service in self.cloud(parsed_args).status())
        cloud = self.cloud(
            parsed_args, base=parsed_args.base,
            patched=not parsed_args.unpatched, hosts=hosts or HOSTS)
        if hosts:
            # The same cloud, or an error: another base is not what was asked.
            cloud.up(self.progress)
            yield cloud
            return
        try:
            cloud.up(self.progress)
            yield cloud
        finally:
            cloud.down()
