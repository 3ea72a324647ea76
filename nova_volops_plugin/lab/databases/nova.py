# SPDX-License-Identifier: Apache-2.0

"""Runs code of one Nova on a database, each time in a new process."""

import json
import tempfile

from nova_volops_plugin import child
from nova_volops_plugin.cloud.embedded import variables
from nova_volops_plugin.series import nova as series_nova


class Nova:
    """The Nova of a base, patched or as released.

    :param state: a :class:`nova_volops_plugin.state.StateDir`
    :param base: a :class:`nova_volops_plugin.bases.base.Base`
    :param patched: with the series or as released
    """

    def __init__(self, state, base, patched):
        self._nova = series_nova.ensure(state, base, patched)

    def check(self, *words):
        """Run a subcommand of ``database_check``.

        :returns: (what it gave, None) or (None, the error's first line)
        :raises VolopsError: the process failed
        """
        done = self.python('-m', 'inside_nova.database_check', *words,
                           failure='the process at the database failed; it '
                                   'said')
        said = json.loads(done.stdout)
        return said.get('result'), said.get('error')

    def sync(self, url):
        """Run ``nova-manage db sync`` for one cell.

        :param url: SQLAlchemy's address of the database
        :returns: None, or the last line that a sync which failed printed
        """
        return self._sync('database', url, 'db', 'sync', '--local_cell')

    def sync_api(self, url):
        """Run ``nova-manage api_db sync``; take and return as :meth:`sync`."""
        return self._sync('api_database', url, 'api_db', 'sync')

    def _sync(self, group, url, *words):
        with tempfile.NamedTemporaryFile('w', suffix='.conf') as conf:
            conf.write('[%s]\nconnection = %s\n' % (group, url))
            conf.flush()
            done = self.python(
                '-c', series_nova.script('manage'), '--config-file',
                conf.name, *words)
        if not done.returncode:
            return None
        return (done.stdout.strip() or done.stderr.strip() or
                'it said nothing').splitlines()[-1]

    def python(self, *words, failure=None, **more):
        """Run Python in the tree.

        :param failure: as in :func:`nova_volops_plugin.child.run`
        :param more: more environment variables
        :returns: a :class:`subprocess.CompletedProcess`
        """
        with tempfile.TemporaryDirectory(prefix='nova-volops-') as temporary:
            return child.run(
                [self._nova.python, *words], failure, cwd=self._nova.tree,
                env=dict(variables.of(self._nova, temporary), **more))
