# SPDX-License-Identifier: Apache-2.0

"""A process of Nova's fixtures in the environment of a base."""

import contextlib
import logging
import subprocess
import tempfile

from nova_volops_plugin import child
from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)


@contextlib.contextmanager
def running(nova, words, log=None):
    """Run a package that prints lines, as long as the context lasts.

    :param nova: a :class:`nova_volops_plugin.series.nova.Nova`
    :param words: the package and its arguments, a list of str; one of
        :mod:`nova_volops_plugin.lab.inside`
    :param log: the file for what it logs, a path; by default it is lost
    :returns: a context that gives the :class:`Process`
    """
    LOG.info('starting %s on nova %s', words[0], nova.base.name)
    with (tempfile.TemporaryDirectory(prefix='nova-volops-') as folder,
          open(log or folder + '/log', 'w+') as errors,
          child.running(
              [nova.python, '-m', *words], cwd=nova.tree,
              env=variables.of(nova, folder), stdout=subprocess.PIPE,
              stderr=errors, text=True) as process):
        yield Process(words[0], process, errors)


class Process:
    """One that runs."""

    def __init__(self, name, process, errors):
        self._name = name
        self._process = process
        self._errors = errors

    def lines(self):
        """Yield the lines that it prints, until it ends.

        :raises BadInput: it says that an argument is wrong
        :raises VolopsError: it failed
        """
        yield from self._process.stdout
        if not self._process.wait():
            return
        if self._process.returncode == exceptions.BadInput.exit_code:
            raise exceptions.BadInput(self.end_of_log(1))
        raise exceptions.VolopsError(
            '%s failed; its log ends with\n%s' % (
                self._name, self.end_of_log()))

    def end_of_log(self, lines=child.LAST_LINES):
        """Return the last lines of what it logged."""
        self._errors.seek(0)
        return child.tail(self._errors.read(), lines)
