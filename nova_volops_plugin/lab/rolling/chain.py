# SPDX-License-Identifier: Apache-2.0

"""Upgrades one cloud through several releases."""

import contextlib
import dataclasses
import logging
import pathlib
import re

from nova_volops_plugin.bases import base as nova_base
from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin import exceptions
from nova_volops_plugin.lab.databases import nova as nova_database
from nova_volops_plugin.lab.databases import paths
from nova_volops_plugin.lab.databases import servers
from nova_volops_plugin.lab.rolling import mixed
from nova_volops_plugin.series import migrations
from nova_volops_plugin.series import nova as series_nova

LOG = logging.getLogger(__name__)

NEIGHBOURS = 'neighbours'
CELLS = 'cell0', 'cell1'


@dataclasses.dataclass(frozen=True)
class Link:
    """One release in the chain.

    :param base: the controllers', a
        :class:`nova_volops_plugin.bases.base.Base`
    :param patched: whether the controllers have the series
    :param compute: the base of the compute that is not upgraded yet
    :param compute_patched: whether that has the series
    :param stories: what is done with it
    """

    base: nova_base.Base
    patched: bool
    compute: nova_base.Base
    compute_patched: bool
    stories: tuple

    @property
    def parts(self):
        """The base of each process and whether it has the series."""
        parts = {
            mixed.CONTROLLERS: (self.base, self.patched),
            mixed.COMPUTE: (self.compute, self.compute_patched)}
        if self.patched:
            parts[mixed.UPGRADED] = self.base, True
        return parts


def plan(bases):
    """Return the :class:`Link` of each step.

    :param bases: those of a chain, the oldest first
    :raises BadInput: each is not newer than the one before
    """
    for older, base in zip(bases, bases[1:]):
        mixed.require_older(older, base)
    first = bases[0]
    links = [Link(first, False, first, False, ('begin',)),
             Link(first, True, first, False, ('put_the_series_on',)),
             *(Link(base, True, older, True, ('upgrade',))
               for older, base in zip(bases, bases[1:]))]
    last = links.pop()
    return links + [dataclasses.replace(last, stories=(*last.stories, 'end'))]


def run(state, bases, logs=None):
    """Yield each :class:`mixed.Step` as it ends.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param bases: a list of :class:`nova_volops_plugin.bases.base.Base`, the
        oldest first
    :param logs: the folder for what the parts log; by default it is lost
    :raises BadInput: the bases are in another order
    :raises VolopsError: a part failed
    """
    links = plan(bases)
    novas = {part: series_nova.ensure(state, *part)
             for each in links for part in each.parts.values()}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(servers.SQLite().running())
        logs = pathlib.Path(logs or server.folder)
        logs.mkdir(parents=True, exist_ok=True)
        stack.enter_context(process.running(
            novas[bases[-1], True],
            ['inside_nova.mixed_nova', NEIGHBOURS, str(server.folder),
             '--neighbours', str(server.folder)],
            logs / (NEIGHBOURS + '.log')))
        for number, each in enumerate(links):
            if number:
                LOG.info('migrating the databases by %s', each.base)
                yield from _migrate(state, server, each)
            for step in mixed.take(
                    {part: (novas[nova], ['--neighbours', str(server.folder)])
                     for part, nova in each.parts.items()},
                    each.stories, logs, '%d-%s-' % (number, each.base)):
                yield dataclasses.replace(
                    step, story='%s: %s' % (each.base, step.story))


def _migrate(state, server, each):
    """Have ``nova-manage`` migrate all databases, and look at them."""
    nova = nova_database.Nova(state, each.base, each.patched)
    story = '%s: databases' % each.base

    def step(name, wanted, found):
        return mixed.Step(story, name, wanted, found,
                          re.fullmatch(wanted, found) is not None)

    yield step('api', 'migrated', nova.sync_api(server.url('api')) or
               'migrated')
    end = migrations.ends(each.base)[1]
    new = server.url('new-%s' % each.base)
    if failed := nova.sync(new):
        raise exceptions.VolopsError(
            'a new database cannot be made: ' + failed)
    schema = nova.check('describe', new)[0]
    for cell in CELLS:
        failed = nova.sync(server.url(cell))
        found, error = nova.check('again', server.url(cell))
        yield step(cell, '%s, %s' % (end, paths.AS_NEW),
                   failed or error or paths.compare(found, schema))
