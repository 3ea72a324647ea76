# SPDX-License-Identifier: Apache-2.0

"""Runs the cases in a process of the base, and evaluates the results."""

import contextlib
import dataclasses
import json
import tempfile

from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.faults import explained
from nova_volops_plugin import result
from nova_volops_plugin.series import nova as series_nova

EXPLAINED = 'explained'


@dataclasses.dataclass(frozen=True)
class Case:
    """What came of a flow with one call failing.

    :param flow: the name of the flow
    :param call: the call that failed, for example ``attachment_update(data)``
    :param fault: how it failed, for example ``500`` or ``lost``
    :param outcome: ``done``, as after a healthy run; ``undone``, as before
        it; ``error``, a server is in ERROR; ``other``
    :param told: whether the user was told of a failure
    :param broken: the invariants that do not hold, a tuple of pairs of kind
        and sentence
    :param reason: why those that do not hold are to be expected, or ``''``
    :param seconds: float
    :param base: the name of the base
    """

    flow: str
    call: str
    fault: str
    outcome: str
    told: bool = True
    broken: tuple = ()
    reason: str = ''
    seconds: float = 0.0
    base: str = ''

    @property
    def result(self):
        """:data:`result.PASSED`, EXPLAINED or :data:`result.FAILED`."""
        if not self.broken:
            return result.PASSED
        return EXPLAINED if self.reason else result.FAILED


def read(line, base):
    """Return the :class:`Case` of a line, None for a healthy run's.

    :param line: a line of JSON from the process, a str
    :param base: the name of the base
    :raises VolopsError: a healthy run broke an invariant
    """
    told = json.loads(line)
    if 'calls' in told:
        if told['broken']:
            raise exceptions.VolopsError(
                'the flow %s fails without a fault: %s' % (
                    told['flow'], '; '.join(
                        text for _kind, text in told['broken'])))
        return None
    broken = tuple((kind, text) for kind, text in told['broken'])
    case = Case(told['flow'], told['call'], told['fault'], told['outcome'],
                told['told'], broken, seconds=told['seconds'], base=base)
    return dataclasses.replace(case, reason=explained.reason(case))


def count(cases):
    """Return how many cases passed, are explained and failed, a tuple."""
    return tuple(sum(case.result == kind for case in cases)
                 for kind in (result.PASSED, EXPLAINED, result.FAILED))


class Results:
    """The file that keeps what came of cases, for a run that is stopped.

    Its first line says what tree was run, the others are as :func:`read`
    takes them.

    :param path: of the file; it is made when missing
    :param tree: the git id of the tree, as in ``base.conf``
    :raises BadInput: it is of another tree
    """

    def __init__(self, path, tree):
        self._path = path
        head = json.dumps({'tree': tree})
        lines = path.read_text().split('\n') if path.exists() else []
        # A line without an end is of a run that was killed.
        self.lines = lines[1:-1]
        if lines[:1] not in ([], [''], [head]):
            raise exceptions.BadInput(
                '%s holds no results of the tree %s: move it away' % (
                    path, tree))
        path.write_text(''.join(
            line + '\n' for line in [head, *self.lines]))

    def add(self, line):
        """Keep the line of a case unless it is there already."""
        if line not in self.lines:
            self.lines.append(line)
            with self._path.open('a') as file:
                file.write(line + '\n')


def run(state, base, arguments=(), log=None, results=None):
    """Yield each :class:`Case` as it ends.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param arguments: those of ``fault_matrix``, a sequence of str
    :param log: the file for what Nova logs, a path; by default it is lost
    :param results: a file, a path: each result is kept there as it comes,
        and no case is run again that is in it
    :raises BadInput: there is no such flow, call or fault, or the file is of
        another tree
    :raises VolopsError: the process failed
    """
    kept = results and Results(results, base.tree)
    nova = series_nova.ensure(state, base)
    with contextlib.ExitStack() as stack:
        if kept:
            ended = stack.enter_context(tempfile.NamedTemporaryFile('w'))
            ended.writelines(line + '\n' for line in kept.lines)
            ended.flush()
            arguments = [*arguments, '--ended', ended.name]
        matrix = stack.enter_context(process.running(
            nova, ['inside_nova.fault_matrix', *arguments], log))
        for line in matrix.lines():
            case = read(line, base.name)
            if case:
                if kept:
                    kept.add(line.rstrip('\n'))
                yield case
