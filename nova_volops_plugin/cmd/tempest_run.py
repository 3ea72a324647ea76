# SPDX-License-Identifier: Apache-2.0

"""nova-volops tempest-run: Tempest against a running cloud."""

import re
import time

from nova_volops_plugin.cloud import client
from nova_volops_plugin.cloud import profiles
from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import cloud_options
from nova_volops_plugin.cmd import numbers
from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.tempest_run import conf
from nova_volops_plugin.tempest_run import discover
from nova_volops_plugin.tempest_run import known
from nova_volops_plugin.tempest_run import leftovers
from nova_volops_plugin.tempest_run import results
from nova_volops_plugin.tempest_run import suites
from nova_volops_plugin.tempest_run import workspace


class TempestRun(cloud_options.CloudOptions, check.Check):
    """Run Tempest on a cloud that is up, and report the results.

    Lists every test that did not simply pass. The exit code is 0 when no
    test failed but known ones and nothing is left behind, else 3.
    """

    COLUMNS = ('Test', 'Result', 'Seconds', 'Reason')

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.set_defaults(profile='real')
        self.add_what_runs(parser)
        parser.add_argument(
            '--tests', metavar='NAME', choices=sorted(suites.SUITES),
            default=suites.DEFAULT,
            help='which tests: %s (default: %s)' % (
                ', '.join(sorted(suites.SUITES)), suites.DEFAULT))
        parser.add_argument(
            '--regex', metavar='REGEX',
            help='run the tests whose ids match this instead')
        parser.add_argument(
            '--concurrency', metavar='N', type=numbers.at_least(1), default=1,
            help='how many tests at once (default: 1)')
        parser.add_argument(
            '--expect-features', action='store_true',
            help='tell Tempest that an unpatched cloud has the features, so '
                 'that their tests fail instead of being skipped')
        return parser

    def results(self, parsed_args):
        _check(parsed_args)
        cloud = self.cloud(
            parsed_args, base=parsed_args.base,
            patched=not parsed_args.unpatched)
        self.require_up(parsed_args, cloud)
        connection = client.connect(cloud.environ())
        tempest = workspace.Workspace(
            self.app.state.cloud(parsed_args.profile) / 'tempest',
            workspace.make_environment(self.app.state))
        tempest.make()
        facts = discover.facts(connection)
        conf.write(tempest.conf, conf.sections(
            cloud.environ(), facts,
            parsed_args.base,
            parsed_args.expect_features or not parsed_args.unpatched,
            tempest.folder,
            # The plugin's have flags, and fail where a flag promises too much.
            'latest' if parsed_args.tests == suites.DEFAULT
            else facts.microversion))
        before = leftovers.take(connection)
        started = time.monotonic()
        tempest.run(parsed_args.regex or suites.SUITES[parsed_args.tests],
                    parsed_args.concurrency)
        self._seconds = time.monotonic() - started
        self._files = tempest
        judged = results.judge(results.read(tempest.junit), known.KNOWN)
        judged += [
            results.Test(
                'leftovers', result.FAILED,
                reason='the run left behind: ' + what)
            for what in leftovers.new(before, leftovers.take(connection))]
        for test in judged:
            yield result.Result(
                (test.test, test.outcome, round(test.seconds, 1),
                 test.reason), test.result)

    def table(self, results):
        return self.COLUMNS, [
            each.cells for each in results
            if each.cells[1] != result.PASSED]

    def closing(self):
        yield '%s and %s hold every result; it took %d s' % (
            self._files.junit, self._files.subunit, self._seconds)


def _check(parsed_args):
    if parsed_args.profile == profiles.DEFAULT:
        raise exceptions.BadInput(
            'Tempest looks into guests, and those of the embedded cloud do '
            'not run; use --profile real')
    try:
        re.compile(parsed_args.regex or '')
    except re.error as error:
        raise exceptions.BadInput('%r is no regular expression: %s' % (
            parsed_args.regex, error))
