# SPDX-License-Identifier: Apache-2.0

"""Hypothesis' view of a history."""

import contextlib
from unittest import mock

import hypothesis
from hypothesis.internal.conjecture import engine
from hypothesis import stateful
from hypothesis import strategies as st
from hypothesis.strategies._internal import featureflags

from histories.broken import Broken
from histories import elsewhere
from histories import fitting
from histories import history
from histories import judge
from histories import operations
from histories import trouble

_NUMBERS = st.integers(0, 3)
_OPERATIONS = st.builds(
    operations.Operation, st.sampled_from(operations.NAMES), _NUMBERS,
    _NUMBERS)
_ALL_OPERATIONS = st.builds(
    operations.Operation, st.sampled_from(
        operations.NAMES + operations.BY_HAND), _NUMBERS, _NUMBERS)
# The first of them that has something to act on is done. So many are drawn
# whatever the state is, as the state is not always the same.
_CANDIDATES = st.tuples(*[_ALL_OPERATIONS] * 10)
# The first ones come more often, as there are more of them.
_NTH = st.integers(1, 3) | st.integers(1, 8)
_TROUBLES = {
    'call': st.builds(
        trouble.Trouble, st.just('call'), _NTH,
        st.sampled_from(trouble.FAULTS), st.none()),
    'stop': st.one_of(
        st.builds(trouble.Trouble, st.just('write'), _NTH,
                  st.just('crash'), st.none()),
        st.just(trouble.Trouble('copy', 1, 'crash', None)),
        st.builds(trouble.Trouble, st.just('call'), _NTH,
                  st.sampled_from(trouble.CRASHES), st.none())),
    'rival': st.builds(
        trouble.Trouble, st.just('rival'), st.integers(0, 4), st.none(),
        _OPERATIONS),
    'elsewhere': st.builds(
        trouble.Trouble, st.sampled_from(elsewhere.SERVICES),
        st.integers(1, 12), st.sampled_from(elsewhere.FAULTS), st.none()),
    'message': st.builds(
        trouble.Trouble, st.sampled_from(('hold', 'twice', 'lose')),
        st.integers(1, 3), st.none(), st.none()),
    'other-cinder': st.just(
        trouble.Trouble('other-cinder', 1, None, None)),
}
# A history has few kinds of trouble: a stop explains too much of the others.
_WEATHER = st.sets(st.sampled_from(sorted(_TROUBLES)), min_size=1, max_size=2)
_CALM = st.sampled_from((True, False))


class Over(BaseException):
    """Enough histories are made; Hypothesis takes it for no failure."""


class Mistake(BaseException):
    """The checks are wrong; Hypothesis takes it for no failure."""


@contextlib.contextmanager
def _mistakes():
    # To shorten what the checks themselves break at is no use.
    try:
        yield
    except Broken:
        raise
    except Exception as error:
        raise Mistake() from error


def machine(nova, known, told):
    """Return the class of a state machine that makes histories.

    :param nova: a :class:`cloud.HistoryNova` that is up
    :param known: the kinds of what was found before; histories that show
        them are not failures
    :param told: called with the :class:`history.History` of each history,
        and with what is wrong with it or None; once it returns True no
        further history is made, and :class:`Over` raised
    """

    class Histories(stateful.RuleBasedStateMachine):

        def __init__(self):
            super().__init__()
            self.wrong = None
            self.broken_off = False
            self.history = None

        def _step(self, text, do, befalls=trouble.NONE):
            if self.broken_off:
                return
            try:
                self.history.step(text, do, befalls)
            except Broken as wrong:
                self._found(wrong)

        def _found(self, wrong):
            self.broken_off = True
            self.wrong = wrong
            if wrong.kind not in known:
                raise wrong

        @stateful.initialize(
            weather=_WEATHER, on_volume=st.booleans(),
            volume=_NUMBERS | st.none(), mode=st.sampled_from(('rw', 'ro')),
            count=st.integers(1, 2), salt=st.integers(0, 255))
        def first_server(self, weather, on_volume, volume, mode, count, salt):
            # Hypothesis begins with what is all zeros but for the first
            # draws. Such histories are alike.
            hypothesis.assume(salt)
            self.weather = sorted(weather)
            nova.reset()
            self.history = history.History(nova)
            with _mistakes():
                self._step(
                    ('create', on_volume, volume, mode, count),
                    lambda: self.history.create(
                        on_volume, volume, mode, count))

        @stateful.rule(
            candidates=_CANDIDATES, calm=_CALM, which=_NUMBERS,
            troubles=st.fixed_dictionaries(_TROUBLES))
        def ask(self, candidates, calm, which, troubles):
            if self.broken_off:
                return
            with _mistakes():
                self._ask(candidates, calm, which, troubles)

        def _ask(self, candidates, calm, which, troubles):
            present = fitting.Present(self.history)
            operation = next(filter(present.takes, candidates), candidates[0])
            befalls = trouble.NONE
            if not calm:
                befalls = troubles[self.weather[which % len(self.weather)]]
            self._step(tuple(operation), lambda: operations.do(
                self.history, operation), befalls)

        def teardown(self):
            if self.history is None:
                return
            try:
                if not self.broken_off:
                    with _mistakes():
                        judge.Judge(self.history).judge()
            except Broken as wrong:
                self._found(wrong)
            finally:
                if told(self.history, self.wrong):
                    raise Over()

    return Histories


def run(machine_class, seed, examples, steps):
    """Make histories until one fails that is new.

    :param machine_class: as :func:`machine` returns it
    :param seed: an int; the same gives the same histories
    :param examples: the number of histories
    :param steps: the most steps of one
    :raises Broken: after the failing history was shortened
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
