# SPDX-License-Identifier: Apache-2.0

"""Sends generated requests to the patched Nova, and checks the responses."""

import dataclasses
import json

from nova_volops_plugin.cloud.embedded import process
from nova_volops_plugin import result
from nova_volops_plugin.series import nova as series_nova


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came of one request.

    :param request: microversion, method, path and body
    :param code: the HTTP status of the answer
    :param said: the beginning of the answer
    :param changed: what the request changed though it was refused, sentences
    """

    request: tuple
    code: int
    said: str
    changed: tuple = ()

    @property
    def result(self):
        """FAILED if Nova failed, or changed a thing and refused it."""
        return result.of(self.code < 500 and not self.changed)


def run(state, base, number, seed, log=None):
    """Yield the :class:`Answer` to each request.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param number: of requests
    :param seed: of the random numbers they are made with, an int
    :param log: the file for what Nova logs, a path; by default it is lost
    :raises VolopsError: the process failed
    """
    with process.running(
            series_nova.ensure(state, base),
            ['inside_nova.bad_input', '--number', str(number),
             '--seed', str(seed)],
            log) as running:
        for line in running.lines():
            told = json.loads(line)
            yield Answer(tuple(told['request']), told['code'], told['said'],
                         tuple(told['changed']))
