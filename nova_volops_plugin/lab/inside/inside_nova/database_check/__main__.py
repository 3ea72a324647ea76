# SPDX-License-Identifier: Apache-2.0

"""Run one operation on a database and print its result as JSON."""

import argparse
import json
import os
import sys
import tempfile

import nova.conf
from nova import config
from nova.db.main import api as main_db
from nova import objects

from inside_nova.database_check import load
from inside_nova.database_check import schema
from inside_nova.database_check import work


def main():
    parser = argparse.ArgumentParser(prog='database_check')
    parser.add_argument('--hold', type=float, default=0)
    parser.add_argument('--rows', type=int, default=1)
    parser.add_argument('what', choices=(
        'sync', 'fill', 'upgrade', 'rows', 'service', 'archive', 'again',
        'describe'))
    parser.add_argument('url')
    args = parser.parse_args()
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as conf:
        conf.write('[database]\nconnection = %s\n' % args.url)
        conf.flush()
        config.parse_args(['nova', '--config-file', conf.name],
                          configure_db=False)
    main_db.configure(nova.conf.CONF)
    objects.register_all()
    try:
        result = {
            'sync': work.sync,
            'fill': lambda: work.fill(args.rows),
            'upgrade': lambda: load.upgrade(args.url, args.hold),
            'rows': work.rows,
            'service': work.service,
            'archive': work.archive,
            'again': schema.again,
            'describe': schema.describe,
        }[args.what]()
        json.dump({'result': result}, sys.stdout)
    except Exception as error:
        said = str(error).partition('\n')[0]
        json.dump({'error': '%s: %s' % (type(error).__name__, said)},
                  sys.stdout)


if __name__ == '__main__':
    os.umask(0o077)
    main()
