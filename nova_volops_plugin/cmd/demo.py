# SPDX-License-Identifier: Apache-2.0

"""nova-volops demo: run the feature scenarios over REST."""

import contextlib
import logging

from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import cloud_options
from nova_volops_plugin.scenarios import catalog
from nova_volops_plugin.scenarios import runner

LOG = logging.getLogger(__name__)

HOSTS = 2


class Demo(cloud_options.CloudOptions, check.Check):
    """Run the feature scenarios on a cloud, and check every claim.

    A cloud that is up is used and stays up; else one is started and stopped.
    The exit code is 0 when no claim failed, else 3.
    """

    COLUMNS = ('Scenario', 'Claim', 'Result', 'Evidence')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        self.add_what_runs(parser)
        self.add_only(parser)
        parser.add_argument(
            'scenario', metavar='SCENARIO', nargs='*',
            help='the scenarios to run: %s (default: these), or %s' % tuple(
                ', '.join(scenario.NAME for scenario in scenarios)
                for scenarios in (
                    catalog.SCENARIOS, catalog.LONG_SCENARIOS)))
        return parser

    def results(self, parsed_args):
        scenarios = catalog.choose(parsed_args.scenario)
        with self._running(parsed_args) as cloud:
            return runner.run(
                cloud, self.tell if self.is_table else LOG.info, scenarios)

    @contextlib.contextmanager
    def _running(self, parsed_args):
        hosts = sum(
            service.name.startswith('nova-compute') and
            service.state == 'up'
            for service in self.cloud(parsed_args).status())
        cloud = self.cloud(
            parsed_args, base=parsed_args.base,
            patched=not parsed_args.unpatched, hosts=hosts or HOSTS,
            only=parsed_args.only)
        if hosts:
            # The same cloud, or an error: another base is not what was asked.
            cloud.up()
            yield cloud
            return
        try:
            cloud.up()
            yield cloud
        finally:
            cloud.down()
