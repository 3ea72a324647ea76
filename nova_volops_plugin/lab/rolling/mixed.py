# SPDX-License-Identifier: Apache-2.0

"""Runs a mixed cloud, and evaluates its steps."""

import contextlib
import dataclasses
import json
import pathlib
import tempfile

from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin import exceptions
from nova_volops_plugin import result
from nova_volops_plugin.series import nova as series_nova


CONTROLLERS = 'controllers'
COMPUTE = 'compute'
# The same compute with the code of the controllers: it waits for its turn.
UPGRADED = 'upgraded'
# The stories in which it has one.
_EXCHANGES = {'take_back_a_compute', 'take_back_among_read_only',
              'upgrade_the_compute'}


@dataclasses.dataclass(frozen=True)
class Step:
    """What came of one step.

    :param story: the story it belongs to
    :param step: what was done
    :param wanted: what should have come of it
    :param found: what came of it
    :param as_wanted: whether they are equal; texts of equal dicts may differ
    :param broken: what must never be, a tuple of sentences
    """

    story: str
    step: str
    wanted: str
    found: str
    as_wanted: bool
    broken: tuple = ()

    @property
    def result(self):
        """PASSED if it came as wanted and broke nothing, else FAILED."""
        return result.of(self.as_wanted and not self.broken)

    @property
    def cells(self):
        """What a table says of it."""
        return (self.story, self.step, self.wanted,
                '; '.join((self.found, *self.broken)), self.result)


def run(state, base, newer, stories=(), logs=None, older=None):
    """Yield each :class:`Step` as it ends.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param newer: which part has the series, CONTROLLERS or COMPUTE
    :param stories: names of stories, by default all
    :param logs: the folder for what the parts log; by default it is lost
    :param older: the one that the compute is of, with its series; by default
        it is of the same base, and as released
    :raises BadInput: there is no such story, or the older base is not older
    :raises VolopsError: a part failed
    """
    parts = [COMPUTE, CONTROLLERS]
    if newer == CONTROLLERS and (
            not stories or _EXCHANGES & set(stories)):
        parts.insert(0, UPGRADED)
    bases = dict.fromkeys(parts, base)
    patched = {newer, UPGRADED}
    words = []
    if older:
        require_older(older, base)
        bases[COMPUTE] = older
        patched.add(COMPUTE)
        words.append('--both')
    yield from take(
        {part: (series_nova.ensure(state, bases[part], part in patched),
                [*words, *['--series'] * (part == newer)]) for part in parts},
        stories, logs)


def take(parts, stories, logs=None, prefix=''):
    """Yield each :class:`Step` of stories that the controllers print.

    :param parts: a dict of part, its Nova and its arguments
    :param stories: their names
    :param logs: the folder for what the parts log; by default it is lost
    :param prefix: what the names of the logs begin with
    :raises BadInput: the controllers say that an argument is wrong
    :raises VolopsError: they failed
    """
    words = [word for story in stories for word in ('--story', story)]
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix='nova-volops-'))
        logs = pathlib.Path(logs or folder)
        logs.mkdir(parents=True, exist_ok=True)
        running = {part: stack.enter_context(process.running(
            nova, ['inside_nova.mixed_nova', part, folder, *more, *words],
            logs / ('%s%s.log' % (prefix, part))))
            for part, (nova, more) in parts.items()}
        try:
            for line in running[CONTROLLERS].lines():
                told = json.loads(line)
                yield Step(**dict(told, broken=tuple(told['broken'])))
        except exceptions.BadInput:
            raise
        except exceptions.VolopsError as error:
            raise exceptions.VolopsError(
                '%s\nThe log of the compute ends with\n%s' % (
                    error, running[COMPUTE].end_of_log()))


def require_older(older, base):
    """Refuse a base that is not older than another.

    :raises BadInput: it is not
    """
    if older.release >= base.release:
        raise exceptions.BadInput(
            '%s (nova %s) is not older than %s (nova %s); name an older base' %
            (older.name, older.version, base.name, base.version))
