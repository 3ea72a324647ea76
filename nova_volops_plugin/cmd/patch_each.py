# SPDX-License-Identifier: Apache-2.0

"""nova-volops patch check: check patches one by one."""

import re
import sys

from nova_volops_plugin.cmd import check
from nova_volops_plugin.cmd import suite_options
from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.series import detect
from nova_volops_plugin.series import each
from nova_volops_plugin.series import tree as series_tree


class Check(suite_options.SuiteOptions, check.Check):
    """Check that each patch passes Nova's checks and tests alone.

    Those are the style and type checks, of which it must add no finding, and
    the tests of what it touches. They run on the tree as it is after the
    patch, by default in each kind of threads that the base has.
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--check', metavar='CHECK', choices=each.CHECKS, action='append',
            help='one of %s; may be given more than once' %
                 ', '.join(each.CHECKS))
        parser.add_argument(
            '--differing', action='store_true',
            help='only the patches that are not line for line the same in '
                 'the next newer base (on the newest base: all)')
        self.add_run(parser)
        self.add_only(parser)
        self.add_folder(parser)
        self.add_base(parser, 'the base whose patches are checked')
        parser.add_argument(
            'patches_range', metavar='PATCHES', nargs='?',
            help='the number in the name of a patch such as 0083, or those '
                 'of the first and the last one such as 3-7 (default: all)')
        return parser

    COLUMNS = ('Patch', 'Subject', 'Check', 'Result', 'Found')

    def parts(self, parsed_args):
        # What another tree is of, nobody has recorded.
        return [] if parsed_args.tree else super().parts(parsed_args)

    def results(self, parsed_args):
        base = self.base(parsed_args)
        first, last = _numbers(parsed_args.patches_range)
        source = detect.open_git(parsed_args.tree).path \
            if parsed_args.tree else series_tree.ensure(
                self.app.state, base, commits=True, only=parsed_args.only)
        for outcome in each.run(
                self.app.state, base, source, first, last,
                parsed_args.check or each.CHECKS, parsed_args.concurrency,
                parsed_args.threads, parsed_args.only,
                parsed_args.differing):
            for problem in outcome.problems:
                print('%s: %s' % (outcome.number, problem), file=sys.stderr)
            verdict = result.of(not outcome.problems) \
                if outcome.check else result.SKIPPED
            yield result.Result(
                (outcome.number, outcome.subject, outcome.check or '',
                 verdict, outcome.text), verdict)


def _numbers(text):
    """Return the first and the last number, None for the last of all."""
    if text is None:
        return None, None
    match = re.fullmatch(r'(\d{1,4})(-(\d{1,4})?)?', text, re.ASCII)
    if not match or match[3] and int(match[1]) > int(match[3]):
        raise exceptions.BadInput(
            '%r is no patch; write its number, or those of the first and '
            'the last one such as 3-7' % text)
    first = int(match[1])
    if not match[2]:
        return first, first
    return first, int(match[3]) if match[3] else None
