# SPDX-License-Identifier: Apache-2.0

"""Creates a branch for each topic in a user's checkout, for review.

A branch has the commits of the topics that its own needs, and its own. Where
two branches have the same commit it has the same id in both.
"""

import dataclasses
import re

from nova_volops_plugin import exceptions
from nova_volops_plugin.series import checkout as series_checkout
from nova_volops_plugin.series import combination
from nova_volops_plugin.series import numbering
from nova_volops_plugin.series import stack
from nova_volops_plugin.series import steps as series_steps
from nova_volops_plugin.series import topics as series_topics

_PREFIX = 'nova-volops/'
_BRANCH = 'refs/heads/' + _PREFIX
# What a branch was when it was last made.
_MADE = 'refs/nova-volops/branches/'
_STATUS = re.compile(r'^Upstream-Status: .*\n', re.MULTILINE)
_SPEC = re.compile(r'^Spec: ', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Branch:
    """A branch of a topic.

    :param topic: its name
    :param name: the branch's
    :param commits: how many it has that are not below the series
    :param change: ``made``, ``updated`` or ``unchanged``
    """

    topic: str
    name: str
    commits: int
    change: str


def make(checkout, base, fetched):
    """Make the branches, or update those that were made before.

    They are made of the checkout's own commits where it has some of the
    series, and else of the series, on the checkout's commit. HEAD, index and
    files stay as they are.

    :param checkout: a :class:`nova_volops_plugin.series.checkout.Checkout`
    :param base: the :class:`nova_volops_plugin.bases.base.Base` it is of
    :param fetched: as for
        :class:`nova_volops_plugin.series.combination.Series`
    :returns: a list of :class:`Branch`
    :raises Refused: a branch is checked out, or has other commits than it was
        made with
    :raises BadInput: the series has no topics, or git does not know the user
    :raises Conflict: a topic cannot be made without others
    :raises DoesNotApply: naming patch, file and hunk
    """
    series = combination.Series(base, fetched)
    if not series.topics:
        raise exceptions.BadInput(
            'the series of %s is not divided into topics; it is one branch '
            'after "nova-volops patch apply"' % base.name)
    by = _user(checkout.git)
    with checkout.locked():
        _require_free(checkout)
        start, topics = _topics(checkout, series)
        heads = {topic: (series_steps.write(checkout.git, start, [
            dataclasses.replace(step, message=_message(step.message))
            for step in steps], by), len(steps))
            for topic, steps in topics.items()}
        old = _present(checkout.git)
        orders, done = [], []
        for topic, (head, count) in heads.items():
            was = old.get(_BRANCH + topic)
            _require_own(checkout, topic, was, head, old.get(_MADE + topic))
            orders += ['update %s%s %s %s' % (
                _BRANCH, topic, head, was or '0' * 40),
                'update %s%s %s' % (_MADE, topic, head)]
            done.append(Branch(
                topic, _PREFIX + topic, count, 'made' if not was else
                'unchanged' if was == head else 'updated'))
        checkout.git.run(
            'update-ref', '-m', 'nova-volops patch branches', '--stdin',
            stdin='\n'.join(orders + ['']).encode())
    return done


def _topics(checkout, series):
    """Return the commit below, and the steps of each topic there is."""
    git = checkout.git
    commits = list(checkout.own(series.all))
    if not commits:
        start = checkout.head()
        return start, {topic: series_steps.Steps(git, start, stack.commits(
            git, start, series.patches(series.names([topic])))[-1]).steps
            for topic in series.names()}
    start = git.line('rev-parse', commits[-1] + '^')
    own = series_steps.Steps(git, start, checkout.head())
    of_patches = series.topics.of_patches()
    names = series_topics.assigned([step.key for step in own], {
        numbering.key(patch): of_patches.get(patch.name)
        for patch in series.all})
    return start, {topic: combination.without(
        own, names, series.names([topic]), [step.subject for step in own]
    ).steps for topic in series.names() if topic in names}


def _message(text):
    """Return a message without the trailers that are of this series alone."""
    body, sign, trailers = text.rstrip('\n').rpartition('\n\n')
    trailers = _STATUS.sub('', trailers + '\n')
    return body + sign + _SPEC.sub('Implements: blueprint ', trailers)


def _present(git):
    """Return the ids of the branches, and of what they were made as."""
    return dict(line.split(' ') for line in git.line(
        'for-each-ref', '--format=%(refname) %(objectname)', _BRANCH,
        _MADE).splitlines())


def _require_free(checkout):
    git = checkout.git
    taken = re.findall(r'(?m)^branch %s(.+)$' % _BRANCH, git.line(
        'worktree', 'list', '--porcelain'))
    if taken:
        raise series_checkout.Refused(
            'the branch %s%s is checked out; check out another one first, '
            'such as the one that has the whole series' % (_PREFIX, taken[0]))
    if git.succeeds('rev-parse', '--verify', '--quiet', _BRANCH[:-1]):
        raise series_checkout.Refused(
            '%s has a branch %s, so that none can be called %sTOPIC; rename '
            'it first: "git branch -m %s NAME"' % (
                checkout.path, _PREFIX[:-1], _PREFIX, _PREFIX[:-1]))


def _require_own(checkout, topic, was, head, made):
    if was in (None, head, made):
        return
    name = _PREFIX + topic
    raise series_checkout.Refused(
        'the branch %s of %s has commits that it was not made with. Put them '
        'into the checkout\'s own ("git cherry-pick"), then delete the branch '
        '("git branch -D %s"), or rename it to keep it' %
        (name, checkout.path, name))


def _user(git):
    """Return name and address of the committer.

    A server of reviews takes commits of none but its users.
    """
    found = [git.attempt('config', key).stdout.decode(
        errors='surrogateescape').strip() for key in (
            'user.name', 'user.email')]
    if not all(found):
        raise exceptions.BadInput(
            'git does not know who commits; say it by "git config user.name '
            'NAME" and "git config user.email ADDRESS"')
    return tuple(found)
