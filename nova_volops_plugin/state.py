# SPDX-License-Identifier: Apache-2.0

"""The state folder, in which the tool keeps all its files."""

import json
import os
import pathlib

import platformdirs

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions

ENVIRONMENT_VARIABLE = 'NOVA_VOLOPS_STATE_DIR'


class StateDir:
    """The layout of the state folder.

    :param path: the folder as a str or path; by default the environment
        variable NOVA_VOLOPS_STATE_DIR, else the XDG cache's ``nova-volops``
    """

    def __init__(self, path=None):
        path = path or os.environ.get(ENVIRONMENT_VARIABLE)
        self.path = pathlib.Path(
            path or platformdirs.user_cache_dir('nova-volops')).absolute()

    @property
    def sdists(self):
        """Downloaded source distributions."""
        return self._folder('sdists')

    @property
    def trees(self):
        """One git tree a base, named after it."""
        return self._folder('trees')

    @property
    def envs(self):
        """One virtual environment a base or a group of services."""
        # Scripts name their interpreter by it, and a link may go away.
        return self._folder('envs').resolve()

    def cloud(self, profile):
        """Everything one cloud keeps.

        :param profile: a profile's name, as in ``cloud up --profile``
        """
        return self._folder('clouds', profile)

    @property
    def bench(self):
        """The last result of each benchmark."""
        return self._folder('bench')

    @property
    def proof(self):
        """The output of each check that the proof ran last."""
        return self._folder('proof')

    def keep_result(self, words, record):
        """Keep what the last run of a check gave.

        :param words: what its file is called after
        :param record: a dict, to be written as JSON
        """
        path = self._folder('results') / (
            '-'.join(filter(None, words)) + '.json')
        files.write_whole(path, json.dumps(record, indent=1) + '\n')

    def result_of(self, command):
        """Return what the last run of a command gave, or None.

        :param command: its words, a list
        """
        return next((record for _path, record in self._results()
                     if record['command'] == command), None)

    def forget_result(self, command):
        """Have it that a command, a list of words, has not run."""
        for path, record in self._results():
            if record['command'] == command:
                path.unlink()

    def _results(self):
        for path in self._folder('results').glob('*.json'):
            yield path, json.loads(path.read_text())

    def _folder(self, *names):
        folder = self.path.joinpath(*names)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise exceptions.BadInput(
                'the state folder %s cannot be made: %s; name another one '
                'by --state-dir or $%s' %
                (folder, error.strerror, ENVIRONMENT_VARIABLE)) from None
        return folder
