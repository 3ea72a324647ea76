# SPDX-License-Identifier: Apache-2.0

"""An API under uWSGI."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import units


class Api(units.Service):
    """One API, in one process of several threads if it says nothing else.

    :cvar api: its name among the ports
    :cvar module: the WSGI module, which holds ``application``
    :cvar path: the address that is asked whether it is ready
    """

    api = None
    module = None
    path = '/'
    threads = 8
    processes = 1
    stop_seconds = 10
    pyargv = None

    @property
    def virtual_environment(self):
        """The folder of the environment that holds the application."""
        return self.layout.environments.neighbours

    def prepare(self):
        options = {
            'plugins': 'python3',
            'http-socket': layout.address(self.api),
            'virtualenv': self.virtual_environment,
            'module': self.module + ':application',
            'enable-threads': 'true',
            'threads': self.threads,
            'need-app': 'true',
            'die-on-term': 'true',
            'buffer-size': 65535,
            # Glance takes images in chunks. A part of one and its length are
            # more than the default.
            'chunked-input-limit': 4 * 1024 ** 2,
            # uWSGI closes a connection without a word, so a client that
            # would use it again must know.
            'add-header': 'Connection: close',
            'disable-logging': 'true',
            'start-time': '%t',
            'procname': self.name,
        }
        if self.processes > 1:
            # One ends the others, and none of them lives without it.
            options.update({'processes': self.processes, 'master': 'true',
                            'no-orphans': 'true'})
            # It would be written over the environment, by which a process is
            # known to belong to the cloud.
            del options['procname']
        if self.pyargv:
            options['pyargv'] = self.pyargv
        layout.write_ini(self._ini, {'uwsgi': options})

    def command(self):
        return ['uwsgi-core', '--ini', self._ini]

    def count_requests(self):
        """Return how many requests its log says were answered.

        Only of an API that logs its answers itself, as Cinder's and Nova's.
        """
        return self.layout.log(self.name).read_text(
            errors='replace').count(' returned with HTTP ')

    def check(self):
        return units.answer(self.layout.url(self.api, self.path))

    @property
    def _ini(self):
        return self.layout.folder('uwsgi') / (self.name + '.ini')
