# SPDX-License-Identifier: Apache-2.0

"""The state machine with which Hypothesis generates histories."""

import contextlib
from unittest import mock

import hypothesis
from hypothesis.internal.conjecture import engine
from hypothesis import stateful
from hypothesis import strategies as st
from hypothesis.strategies._internal import featureflags

from inside_nova.histories import applicable
from inside_nova.histories import history
from inside_nova.histories import host_faults
from inside_nova.histories import judge
from inside_nova.histories import operations
from inside_nova.histories import other_services
from inside_nova.histories import trouble

_NUMBERS = st.integers(0, 3)
# What happens to one server tells more than what happens to three.
_SERVERS = st.sampled_from((0, 0, 0, 1, 2))
# Users delete what takes them too long, or ask for it again: two of three.
_RIVALS = st.builds(
    operations.Operation, st.sampled_from(operations.NAMES + 30 * (
        'delete', 'reset-state', 'delete-and-restore', 'once-more', 'take')),
    _SERVERS, _NUMBERS)
_ALL_OPERATIONS = st.builds(
    operations.Operation, st.sampled_from(
        operations.NAMES + operations.BY_HAND), _SERVERS, _NUMBERS)
# One of those that have something to act on is done. So many are drawn
# whatever the state is, as the state is not always the same.
_CANDIDATES = st.tuples(*[_ALL_OPERATIONS] * 10)
_ON_VOLUME = st.sampled_from((True, True, False))
# The shared volume, and that of no other server, come more often.
_FIRST_VOLUME = st.sampled_from((3, 3, 0, None))
# The first ones come more often, as there are more of them.
_NTH = st.integers(1, 3) | st.integers(1, 12)
_STOP_AT_A_WRITE = st.one_of(
    st.builds(trouble.Trouble, st.just('write'), st.integers(1, 4),
              st.just('crash'), st.none(), st.sampled_from(trouble.WRITES)),
    st.builds(trouble.Trouble, st.just('write'), _NTH, st.just('crash')))
# What explains much of what is wrong afterwards: a history has one such kind
# of trouble, or none.
_FAILURES = {
    'call': st.one_of(
        st.builds(trouble.Trouble, st.just('call'), _NTH,
                  st.sampled_from(trouble.FAULTS)),
        st.builds(trouble.Trouble, st.just('call'), st.integers(1, 2),
                  st.sampled_from(trouble.FAULTS), st.none(),
                  st.sampled_from(trouble.NAMES))),
    'host': st.one_of(
        st.builds(trouble.Trouble, st.just('host'), st.integers(1, 4),
                  st.sampled_from(host_faults.FAULTS)),
        st.builds(trouble.Trouble, st.just('silent'), st.integers(1, 3),
                  st.sampled_from(host_faults.SILENCES[:2]))),
    'stop': st.one_of(
        _STOP_AT_A_WRITE,
        # Copies take the longest.
        st.just(trouble.Trouble('copy', 1, 'crash')),
        st.just(trouble.Trouble('copy', 1, 'crash')),
        st.builds(trouble.Trouble, st.just('call'), _NTH,
                  st.sampled_from(trouble.CRASHES))),
    'other-services': st.builds(
        trouble.Trouble, st.sampled_from(other_services.SERVICES),
        st.integers(1, 12), st.sampled_from(other_services.FAULTS)),
    'lost-message': st.builds(
        trouble.Trouble, st.just('lose'), st.integers(1, 6)),
    'other-cinder': st.just(trouble.Trouble('other-cinder', 1)),
    None: st.none(),
}
_FAILURE = st.sampled_from(
    (None,) * 4 + ('call',) * 4 + ('stop',) * 2 + ('host',) * 2 + (
        'other-services', 'lost-message', 'other-cinder'))
# What no service fails in: it explains little.
_ENCOUNTERS = st.one_of(
    *[st.builds(trouble.Trouble, st.just('rival'), numbers, st.none(), _RIVALS)
      for numbers in (st.integers(0, 4), st.integers(1, 10))],
    st.builds(trouble.Trouble, st.sampled_from(('hold', 'late')),
              st.integers(1, 3) | st.integers(1, 6)),
    st.builds(trouble.Trouble, st.just('spawn'), st.integers(0, 6)))
# Of so many the one is taken that the operation had least.
_DRAWN = 4
_FOUR_ENCOUNTERS = st.tuples(*[_ENCOUNTERS] * _DRAWN)
# Operators end nova-manage whenever they like.
_INTERRUPTIONS = st.tuples(*[_STOP_AT_A_WRITE] * 2)
# Whether something else happens in a step, and whether something fails.
# Some defects need neither.
_ADDED = st.sampled_from((
    (False, False), (False, False), (True, False), (True, False),
    (False, True), (False, True), (True, True)))
# What is left out of a history leaves room for the rest of it.
_LEFT_OUT = st.sets(st.sampled_from(sorted(applicable.GROUPS)))


def _failures(kind):
    return st.tuples(*[_FAILURES[kind]] * _DRAWN)


class Mistake(BaseException):
    """The checks are wrong; Hypothesis takes it for no failure."""


def machine(nova, judged, guide):
    """Return the class of a state machine that makes histories.

    :param nova: a :class:`cloud.HistoryNova` that is up
    :param judged: called with the :class:`history.History` of each history
        that has ended
    :param guide: the :class:`guide.Guide` that chooses what is done
    """

    class Histories(stateful.RuleBasedStateMachine):

        def __init__(self):
            super().__init__()
            self.history = None
            self.broken = False

        @stateful.initialize(
            failure=_FAILURE, left_out=_LEFT_OUT, on_volume=_ON_VOLUME,
            volume=_FIRST_VOLUME, mode=st.sampled_from(('rw', 'ro')),
            count=st.integers(1, 2), salt=st.integers(0, 255),
            added=_ADDED, encounters=_FOUR_ENCOUNTERS, data=st.data())
        def first_server(self, failure, left_out, on_volume, volume, mode,
                         count, salt, added, encounters, data):
            # Hypothesis begins with what is all zeros but for the first
            # draws. Such histories are alike.
            hypothesis.assume(salt)
            self.failure = failure
            self.left_out = applicable.of_groups(left_out)
            nova.reset()
            self.history = nova.history = history.History(nova)
            self._step(
                ('create', on_volume, volume, mode, count),
                lambda: self.history.create(on_volume, volume, mode, count),
                added, encounters, data.draw(_failures(failure)))

        @stateful.rule(
            candidates=_CANDIDATES, added=_ADDED,
            encounters=_FOUR_ENCOUNTERS, interruptions=_INTERRUPTIONS,
            failures=st.runner().flatmap(lambda one: _failures(one.failure)))
        def ask(self, candidates, added, encounters, interruptions, failures):
            with self._mistakes():
                present = applicable.Present(self.history)
                operation = guide.pick([
                    each for each in candidates
                    if each.kind not in self.left_out and present.takes(each)
                    ] or candidates[:1], present, self.history.record.asked)
                self.history.record.situations.append(
                    (operation.kind, present.situation(operation)))
            if operation.kind == 'clean-up':
                encounters = interruptions + encounters[2:]
            self._step(tuple(operation),
                       lambda: operations.do(self.history, operation),
                       added, encounters, failures)

        def _step(self, text, do, added, encounters, failures):
            with self._mistakes():
                troubles = [
                    guide.choose(text[0], filter(None, drawn))
                    for wanted, drawn in zip(added, (encounters, failures))
                    if wanted]
                self.history.step(text, do, list(filter(None, troubles)))

        def teardown(self):
            if self.history is None or self.broken:
                return
            with self._mistakes():
                judge.Judge(self.history).judge()
            judged(self.history)

        @contextlib.contextmanager
        def _mistakes(self):
            try:
                yield
            except Exception as error:
                self.broken = True
                raise Mistake() from error

    return Histories


def run(machine_class, seed, examples, steps):
    """Make histories.

    :param machine_class: as :func:`machine` returns it
    :param seed: an int; the same gives the same histories
    :param examples: the number of histories
    :param steps: the most steps of one
    :raises Mistake: the checks themselves failed
    """
    hypothesis.seed(seed)(machine_class)
    # Most histories would repeat one with a step of it copied over another,
    # and be broken off where that makes it longer; and half of them would
    # leave out the only rule.
    mutations = mock.patch.object(
        engine.ConjectureRunner, 'generate_mutations_from')
    all_rules = mock.patch.object(
        featureflags.FeatureFlags, 'is_enabled', return_value=True)
    with mutations, all_rules:
        stateful.run_state_machine_as_test(
            machine_class, settings=hypothesis.settings(
                max_examples=examples, stateful_step_count=steps,
                deadline=None, database=None, print_blob=False,
                report_multiple_bugs=False,
                suppress_health_check=list(hypothesis.HealthCheck)))
