# SPDX-License-Identifier: Apache-2.0

"""The checks of a series, the most informative per hour first."""

import dataclasses
import re

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import exceptions
from nova_volops_plugin.proof import reading

_HISTORY_MINUTES = 60
# Releases from one to the next of which an upgrade may skip the one between.
_SKIPS = re.compile(r'\d{4}\.1')


@dataclasses.dataclass(frozen=True)
class Check:
    """A command that is run on each base.

    :param name: what it is called on the command line
    :param title: its heading in the document
    :param words: of the command, in which ``BASE`` stands for the base,
        ``TOPIC`` for each topic in turn, ``THREADS`` for those that the base
        runs with by default, and ``CHAIN`` for the bases of an upgrade to the
        newest one, which skips each second release
    :param minutes: about how long it takes on two processors
    :param before: a command that has to succeed first, or nothing; it is run
        once for all checks of a base that need it
    :param after: a command that is run afterwards in any case, or nothing
    :param newest: True to run it only on the newest base
    :param unread: a regular expression of the paths in Nova's tree that do
        not change its result
    :param own_tests: True if it runs only the topic's own tests
    """

    name: str
    title: str
    words: tuple
    minutes: int
    before: tuple = ()
    after: tuple = ()
    newest: bool = False
    unread: str = reading.NOTHING
    own_tests: bool = False


def _words(text):
    return tuple(text.split())


_REAL = {'before': _words('cloud up --profile real --hosts 2 --base BASE'),
         'after': _words('cloud down --profile real --wipe')}
# Tempest waits for guests most of the time.
_TEMPEST = 'tempest-run --concurrency 3 '

CHECKS = (
    Check('demo', 'Demo on the embedded cloud', _words('demo --base BASE'), 2,
          unread=reading.TESTS),
    Check('added', 'Tests that the series adds or changes',
          _words('patch test --added BASE'), 25, unread=reading.DOCS),
    Check('topic', 'Tests of a topic that stands alone',
          _words('patch test --added --only TOPIC BASE'), 15,
          unread=reading.DOCS, own_tests=True),
    Check('real', 'Demo on the real cloud',
          _words('demo --profile real --base BASE'), 16,
          unread=reading.TESTS, **_REAL),
    Check('bad-input', 'Bad requests', _words('lab bad-input --base BASE'),
          5, unread=reading.TESTS),
    Check('faults', 'Injected faults',
          _words('lab faults --sample 300 --base BASE'), 25,
          unread=reading.TESTS),
    Check('rolling', 'One compute unpatched',
          _words('lab rolling --base BASE'), 4, unread=reading.TESTS),
    Check('rolling-compute', 'Only the compute patched',
          _words('lab rolling --newer compute --base BASE'), 3,
          unread=reading.TESTS),
    Check('chain', 'One cloud upgraded over several bases',
          _words('lab rolling --chain CHAIN'), 12, newest=True,
          unread=reading.TESTS),
    # "added" and "topic" run with each kind of threads.
    Check('unit', 'The whole unit suite',
          _words('patch test --unit --threads THREADS BASE .'), 50,
          unread=reading.FUNCTIONAL_TESTS),
    Check('unit-topic', 'Unit tests of what a topic touches',
          _words('patch test --unit --threads THREADS --only TOPIC BASE'), 3,
          newest=True, unread=reading.FUNCTIONAL_TESTS),
    Check('databases', 'Migrations on database servers',
          _words('lab databases --base BASE'), 10,
          unread=reading.FUNCTIONAL_TESTS),
    Check('tempest', 'The Tempest plugin',
          _words(_TEMPEST + '--base BASE'), 20, unread=reading.TESTS,
          **_REAL),
    Check('tempest-volumes', 'Volume tests of Tempest',
          _words(_TEMPEST + '--tests volumes --base BASE'), 20,
          unread=reading.TESTS, **_REAL),
    # Eventlet is what all bases have, and it leaves out no test; "added" runs
    # the tests of the last patch with each kind of threads. Two of three
    # patches are the same in the next newer base, where they are checked;
    # "topic" runs the tests of all on each base.
    Check('each', 'Each patch alone',
          _words('patch check --threads eventlet --differing --only TOPIC '
                 'BASE'), 20),
    Check('histories', 'Random histories',
          ('lab', 'faults', 'histories', '--minutes', str(_HISTORY_MINUTES),
           '--base', 'BASE'), _HISTORY_MINUTES, unread=reading.TESTS),
)
NAMES = tuple(check.name for check in CHECKS)


@dataclasses.dataclass(frozen=True)
class Run:
    """A check on a base, and the trees that it runs.

    :param check: its :class:`Check`
    :param base: the :class:`nova_volops_plugin.bases.base.Base`
    :param topic: the name of the only topic, or None
    :param chain: each base of an upgrade, a tuple
    """

    check: Check
    base: nova_base.Base
    topic: str = None
    chain: tuple = ()

    @property
    def words(self):
        """The words of the command, a list."""
        return self.of(self.check.words)

    def of(self, words):
        """Return the words of one of the check's commands, a list."""
        stand_for = {'BASE': [self.base.name], 'TOPIC': [self.topic],
                     'THREADS': self.base.modes[:1],
                     'CHAIN': [base.name for base in self.chain]}
        return [each for word in words
                for each in stand_for.get(word, [word])]

    @property
    def trees(self):
        """The git tree ids, a dict by the names of bases."""
        return {base.name: base.topics[self.topic] if self.topic else base.tree
                for base in self.chain or (self.base,)}

    @property
    def digests(self):
        """What :func:`reading.digest` returns, a dict by names of bases."""
        return {base.name: reading.digest(
            base, self.topic, self.check.unread, self.check.own_tests)
            for base in self.chain or (self.base,)}


def runs(bases, names=()):
    """Return every :class:`Run` that proves these bases, a list.

    :param bases: a list of :class:`nova_volops_plugin.bases.base.Base`
    :param names: of checks, by default all
    :raises BadInput: there is no such check
    """
    for name in names:
        if name not in NAMES:
            raise exceptions.BadInput(
                'there is no check %r; the checks are: %s' %
                (name, ', '.join(NAMES)))
    newest_first = sorted(bases, key=lambda each: each.release, reverse=True)
    return [run for check in CHECKS if not names or check.name in names
            for base in newest_first for run in _of(check, base)]


def _of(check, base):
    if check.newest and base != nova_base.default(base.path.parent):
        return []
    if 'TOPIC' in check.words:
        return [Run(check, base, topic) for topic in base.topics]
    if 'CHAIN' not in check.words:
        return [Run(check, base)]
    return [Run(check, base, chain=tuple(sorted(
        (each for each in nova_base.load_all(base.path.parent)
         if each == base or _SKIPS.fullmatch(each.name)),
        key=lambda each: each.release)))]
