# SPDX-License-Identifier: Apache-2.0

"""A process in the environment of a base, made of Nova's fixtures."""

import contextlib
import logging
import pathlib
import subprocess
import tempfile

from nova_volops_plugin import child
from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin import exceptions

LOG = logging.getLogger(__name__)


class Process:
    """It runs a package that prints lines, as long as the context lasts.

    :param nova: a :class:`nova_volops_plugin.series.nova.Nova`
    :param words: the package and its arguments, a list of str; one of
        :mod:`nova_volops_plugin.lab.inside` or of ``more_code``
    :param log: the file for what it logs, a path; by default it is lost
    :param more_code: folders of other packages
    """

    def __init__(self, nova, words, log=None, more_code=()):
        self._nova = nova
        self._words = words
        self._log = log
        self._more_code = more_code

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(prefix='nova-volops-'))
            LOG.info('starting %s on nova %s',
                     self._words[0], self._nova.base.name)
            self._errors = stack.enter_context(
                open(self._log or pathlib.Path(folder) / 'log', 'w+'))
            self._process = stack.enter_context(child.running(
                [self._nova.python, '-m', *self._words],
                cwd=self._nova.tree,
                env=variables.of(self._nova, folder, self._more_code),
                stdout=subprocess.PIPE, stderr=self._errors, text=True))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)

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
                self._words[0], self.end_of_log()))

    def end_of_log(self, lines=child.LAST_LINES):
        """Return the last lines of what it logged."""
        self._errors.seek(0)
        return child.tail(self._errors.read(), lines)
