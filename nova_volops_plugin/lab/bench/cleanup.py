# SPDX-License-Identifier: Apache-2.0

"""Clean-up of all servers of a cloud."""

import json
import logging

from nova_volops_plugin.lab.databases import nova as nova_code
from nova_volops_plugin.lab.databases import servers

LOG = logging.getLogger(__name__)

NAME = 'cleanup'
TITLE = 'nova-manage volume_attachment cleanup --all'
AXIS = 'servers'
PROFILES = ('embedded',)
VARIANTS = {'one server of 1,000 dangles': ['--dangling'], 'all agree': []}
VOLUMES = 2
PAGE = 1000
LIMIT = (
    'A page of 1,000 attachments is a call, and so are the empty page which '
    'says that there are no more, the first attachment, which shows that '
    'Cinder can be used, and the volumes that are detaching. A server on '
    'which both sides disagree is looked at by its host, which is down here. '
    'In the database a page of 1,000 servers costs two statements.')


def least(size, variant):
    """Return the counts that a variant cannot do without, a dict."""
    lost = -(-size // 1000) if VARIANTS[variant] else 0
    return {'cinder': 3 + -(-(size * VOLUMES - lost) // PAGE)}


def run(run):
    testbed = run.testbed
    nova = nova_code.Nova(testbed.state, testbed.base, True)
    server = servers.MariaDB(['--innodb-flush-log-at-trx-commit=2'])
    if server.missing():
        run.skip('MariaDB is not installed; the database is SQLite.')
        server = servers.SQLite()
    with server.running():
        for name in ('nova_api', 'nova'):
            server.create(name)
        conf = server.folder / 'nova.conf'
        conf.write_text(
            '[DEFAULT]\ntransport_url = fake:/\n'
            '[api_database]\nconnection = %s\n[database]\nconnection = %s\n'
            '[cinder]\nauth_type = password\n'
            % (server.url('nova_api'), server.url('nova')))

        def call(what, count, *words):
            return nova.python(
                '-m', 'inside_nova.cleanup_scale', '--config-file', conf,
                '--servers', str(count), *words, what,
                failure='the clean-up failed; its output ends with').stdout

        for count in run.sizes(1000, 10000, 100000):
            LOG.info('filling a database with %d servers', count)
            call('fill', count)
            for variant in run.alternate(VARIANTS, warm_up=False):
                _add(run, variant, count, json.loads(
                    call('run', count, *VARIANTS[variant])))


def _add(run, variant, count, told):
    run.add(
        variant, count, told['seconds'],
        {'cinder': sum(told['cinder'].values()),
         'sql': sum(told['sql'].values())},
        {'cinder': told['cinder'], 'sql': told['sql']},
        servers_per_second=count / told['seconds'],
        processor_seconds=told['processor_seconds'], found=told['found'],
        mib_at_first=told['mib_at_first'], mib_at_most=told['mib_at_most'])
