# SPDX-License-Identifier: Apache-2.0

"""Runs the cases of the matrix."""

import logging
import time

from inside_nova.fault_matrix import calls
from inside_nova.fault_matrix import case as matrix_case
from inside_nova.fault_matrix import invariants
from inside_nova.fault_matrix import shape

LOG = logging.getLogger(__name__)


class Runner:
    """Runs flows on one cloud, one case after the other.

    :param nova: a :class:`cloud.MatrixNova` that is up
    """

    def __init__(self, nova):
        self._nova = nova
        self._healthy = {}

    def record(self, flow):
        """Run a flow without faults.

        :returns: a result as :meth:`run` gives it, with ``calls`` in place
            of the fault: the names of the calls to Cinder, in order
        """
        result = self._run(flow)
        self._healthy[flow.NAME] = result
        return {'flow': flow.NAME, 'calls': result['calls'],
                'codes': result['codes'], 'broken': result['broken'],
                'seconds': result['seconds']}

    def run(self, flow, call, fault):
        """Run a flow with one call failing.

        :returns: a dict of flow, call, fault; ``outcome``: done, undone,
            error or other; ``told``: whether the user was told; ``codes``;
            ``broken``: a list of kinds and sentences
        """
        if flow.NAME not in self._healthy:
            self.record(flow)
        healthy = self._healthy[flow.NAME]
        found = self._run(flow, call, fault)
        found['broken'] = [
            what for what in found['broken'] if what not in healthy['broken']]
        outcome = 'other'
        if found['after'] == healthy['after']:
            outcome = 'done'
        elif found['after'] == found['before']:
            outcome = 'undone'
        elif any(server['state'][0] == 'error'
                 for server in found['after']['servers'].values()):
            outcome = 'error'
        # Nobody is left to tell of a stop.
        quiet = flow.QUIET or fault in calls.CRASHES
        if not (outcome == 'done' or found['ended'] == healthy['ended'] or
                found['told'] or quiet):
            found['broken'].append(('untold', 'the user is told nothing'))
        if not found['fired']:
            found['broken'].append(('unfired', 'the call was not made'))
        return {
            'flow': flow.NAME, 'call': call, 'fault': fault,
            'outcome': outcome, 'told': found['told'],
            'codes': found['codes'], 'broken': found['broken'],
            'seconds': found['seconds'],
            'state': _difference(healthy['after'], found['after']),
        }

    def _run(self, flow_class, call=None, fault=None):
        started = time.monotonic()
        case = matrix_case.Case(self._nova, flow_class.CRASHES)
        flow = flow_class()
        with case.undo:
            flow.prepare(case)
            before = case.look()
            case.first_hosts = {server: state.host for server, state
                                in before.servers.items()}
            before_shape = shape.of(before, case)
            known = {_subject(what)
                     for what in invariants.broken(before, case)}
            case.calls.begin(call, fault)
            flow.run(case)
            names = case.calls.end()
            if fault in calls.CRASHES:
                self._nova.crashes.forget_all()
                self._nova.restart()
                case.settle()
            # What was still worked on at the start is idle now.
            self._nova.repair()
            after = case.look()
            after_shape = ended_shape = shape.of(after, case)
            codes = [answer.code for answer in case.answers] + case.exit_codes
            told = (
                case.told or
                any(answer.code >= 400 for answer in case.answers) or
                any(_troubles(state) > _troubles(before.servers.get(server))
                    for server, state in after.servers.items()))
            broken = []
            if invariants.orphans(after, case) and flow.clean_up(case, after):
                after = case.look()
                ended_shape = shape.of(after, case)
            if flow.go_on(case, after):
                after = case.look()
                ended_shape = shape.of(after, case)
                broken = [('stuck', '%s is in ERROR for good' %
                           case.roles.get(server))
                          for server, state in after.servers.items()
                          if state.vm_state == 'error']
        broken += [what for what in invariants.broken(after, case)
                   if _subject(what) not in known]
        broken += [what for what in self._clean_up(flow, case)
                   if _subject(what) not in known]
        return {
            'before': before_shape, 'after': after_shape,
            'ended': ended_shape, 'broken': broken,
            'told': told, 'calls': names, 'fired': case.calls.fired,
            'codes': codes,
            'seconds': round(time.monotonic() - started, 2)}

    def _clean_up(self, flow, case):
        """Delete the servers; return what is left, as broken invariants."""
        left = []
        for server in self._nova.call('GET', '/servers?all_tenants=1').body[
                'servers']:
            answer = self._nova.call('DELETE', '/servers/' + server['id'])
            if answer.code != 204:
                left.append(('undeletable', 'DELETE answers %d' %
                             answer.code))
        self._nova.wait('the servers to be gone', lambda: not self._nova.call(
            'GET', '/servers?all_tenants=1').body['servers'])
        snapshot = case.look()
        if invariants.orphans(snapshot, case) and flow.clean_up(
                case, snapshot):
            snapshot = case.look()
        left += [('left-' + kind, text)
                 for kind, text in invariants.broken(snapshot, case)]
        self._nova.reset()
        return left


def _subject(what):
    """Return the kind of what is broken, and the volume or server."""
    kind, text = what
    return kind.replace('left-', ''), text.partition(' ')[0]


def _troubles(state):
    return state.faults + state.errors if state else 0


def _difference(wanted, found):
    """Return what differs from the healthy run, a dict."""
    if wanted == found:
        return {}
    return {key: found[key] for key in found if found[key] != wanted[key]}


def plan(flow, names):
    """Return the pairs of call and fault for the calls of a flow."""
    return [(call, fault) for call in dict.fromkeys(names)
            for fault in calls.faults_of(call, flow.CRASHES)]
