# SPDX-License-Identifier: Apache-2.0

"""Fill a database, or clean up a filled one and report the cost."""

import argparse
import collections
import contextlib
import importlib
import io
import json
import resource
import sys
import time
from unittest import mock


def main():
    parser = argparse.ArgumentParser(prog='cleanup_scale')
    parser.add_argument('--config-file', required=True)
    parser.add_argument('--servers', type=int, required=True)
    parser.add_argument('--dangling', action='store_true')
    parser.add_argument('what', choices=('fill', 'run'))
    args = parser.parse_args()

    # This patches the standard library for eventlet, in releases that use it:
    # no module that knows of threads may be imported before.
    importlib.import_module('nova.cmd')
    from nova import config
    from nova import objects

    config.parse_args(['nova-manage', '--config-file', args.config_file])
    objects.register_all()
    if args.what == 'fill':
        from inside_nova.cleanup_scale import database

        database.fill(args.servers)
        return
    sys.stdout.write(json.dumps(_run(args.servers, args.dangling)) + '\n')


def _run(number, dangling):
    from nova.cmd import volume_attachment_cleanup
    from sqlalchemy import engine
    from sqlalchemy import event

    from inside_nova.cleanup_scale import cinder
    from inside_nova.nova_ledger import statements

    memory = []
    client = cinder.Client(
        number, dangling, lambda: memory.append(_resident_mib()))
    counted = collections.Counter()

    def note(connection, cursor, statement, *args):
        counted[statements.name_of(statement)] += 1

    event.listen(engine.Engine, 'before_cursor_execute', note)
    output = io.StringIO()
    started = time.monotonic()
    used = resource.getrusage(resource.RUSAGE_SELF)
    with mock.patch('nova.volume.cinder.cinderclient',
                    return_value=client), contextlib.redirect_stdout(output):
        code = volume_attachment_cleanup.main(all_servers=True, as_json=True)
    seconds = time.monotonic() - started
    done = resource.getrusage(resource.RUSAGE_SELF)
    if code not in (volume_attachment_cleanup.NOTHING_FOUND,
                    volume_attachment_cleanup.FOUND):
        sys.exit('the clean-up ends with %d: %s' % (code, output.getvalue()))
    # Nova has loaded all it needs by the second page.
    return {
        'seconds': seconds, 'sql': counted,
        'cinder': client.calls,
        'found': len(json.loads(output.getvalue())['attachments']),
        'processor_seconds': done.ru_utime - used.ru_utime +
        done.ru_stime - used.ru_stime,
        'mib_at_first': memory[min(1, len(memory) - 1)],
        'mib_at_most': max(memory)}


def _resident_mib():
    with open('/proc/self/statm') as pages:
        return int(pages.read().split()[1]) * resource.getpagesize() / 2 ** 20


if __name__ == '__main__':
    main()
