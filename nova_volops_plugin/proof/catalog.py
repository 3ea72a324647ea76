# SPDX-License-Identifier: Apache-2.0

"""The checks that prove a series, those that tell most in an hour first."""

import dataclasses

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin import exceptions

_CHAIN = ('2024.1', '2025.1', '2026.1', '2026.2')
_HISTORY_MINUTES = 60


@dataclasses.dataclass(frozen=True)
class Check:
    """A command that is run on each base.

    :param name: what it is called on the command line
    :param title: its heading in the document
    :param words: of the command, in which ``BASE`` stands for the base and
        ``TOPIC`` for each topic in turn
    :param minutes: about how long it takes on two processors
    :param before: a command that has to succeed first, or nothing
    :param after: a command that is run afterwards in any case, or nothing
    :param also: names of other bases whose trees it runs, too
    :param only: the names of the only bases it is run for, or nothing
    """

    name: str
    title: str
    words: tuple
    minutes: int
    before: tuple = ()
    after: tuple = ()
    also: tuple = ()
    only: tuple = ()


def _words(text):
    return tuple(text.split())


_REAL = {'before': _words('cloud up --profile real --hosts 2 --base BASE'),
         'after': _words('cloud down --profile real --wipe')}

CHECKS = (
    Check('demo', 'Demo on the embedded cloud', _words('demo --base BASE'), 2),
    Check('added', 'Tests that the series adds or changes',
          _words('patch test --added BASE'), 25),
    Check('topic', 'Tests of a topic that stands alone',
          _words('patch test --added --only TOPIC BASE'), 15),
    Check('real', 'Demo on the real cloud',
          _words('demo --profile real --base BASE'), 16),
    Check('bad-input', 'Bad requests', _words('lab bad-input --base BASE'),
          5),
    Check('faults', 'Injected faults',
          _words('lab faults --sample 300 --base BASE'), 25),
    Check('rolling', 'One compute unpatched',
          _words('lab rolling --base BASE'), 4),
    Check('rolling-compute', 'Only the compute patched',
          _words('lab rolling --newer compute --base BASE'), 3),
    Check('chain', 'One cloud upgraded over several bases',
          ('lab', 'rolling', '--chain', *_CHAIN), 12, also=_CHAIN[:-1],
          only=_CHAIN[-1:]),
    Check('unit', 'The whole unit suite', _words('patch test --unit BASE .'),
          25),
    Check('databases', 'Migrations on database servers',
          _words('lab databases --base BASE'), 10),
    Check('tempest', 'The Tempest plugin',
          _words('tempest-run --base BASE'), 40, **_REAL),
    Check('tempest-volumes', 'Volume tests of Tempest',
          _words('tempest-run --tests volumes --base BASE'), 40, **_REAL),
    Check('each', 'Each patch alone', _words('patch check BASE'), 240),
    Check('histories', 'Random histories',
          ('lab', 'faults', 'histories', '--minutes', str(_HISTORY_MINUTES),
           '--base', 'BASE'), _HISTORY_MINUTES),
)
NAMES = tuple(check.name for check in CHECKS)


@dataclasses.dataclass(frozen=True)
class Run:
    """A check on a base, and the trees that it runs.

    :param check: its :class:`Check`
    :param base: the :class:`nova_volops_plugin.bases.base.Base`
    :param topic: the name of the only topic, or None
    :param trees: git tree ids, a dict by the names of bases
    """

    check: Check
    base: nova_base.Base
    topic: str
    trees: dict

    @property
    def words(self):
        """The words of the command, a list."""
        return self.of(self.check.words)

    def of(self, words):
        """Return the words of one of the check's commands, a list."""
        stand_for = {'BASE': self.base.name, 'TOPIC': self.topic}
        return [stand_for.get(word, word) for word in words]


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
    found = []
    for check in CHECKS:
        if names and check.name not in names:
            continue
        for base in sorted(bases, key=lambda each: each.release, reverse=True):
            if not check.only or base.name in check.only:
                found += _of(check, base)
    return found


def _of(check, base):
    if 'TOPIC' in check.words:
        return [Run(check, base, topic, {base.name: tree})
                for topic, tree in base.topics.items()]
    others = [nova_base.Base.load(name, base.path.parent)
              for name in check.also]
    return [Run(check, base, None,
                {each.name: each.tree for each in (*others, base)})]
