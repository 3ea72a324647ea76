# SPDX-License-Identifier: Apache-2.0

"""Checks the heartbeats of workers without an API."""

import datetime

from nova_volops_plugin.cloud.real import mariadb
from nova_volops_plugin.cloud.real import processes
from nova_volops_plugin.cloud.real import units

SECONDS = 5


def check(unit, database, binary, hosts):
    """Look for a report that is newer than the worker's process.

    :param unit: the worker's :class:`units.Service`
    :param database: where it reports
    :param binary: the name it reports under
    :param hosts: the hosts it reports for, a list
    :returns: the hosts, str
    :raises NotReady: some report is missing
    """
    process = processes.find(unit.layout, unit.name)
    started = datetime.datetime.fromtimestamp(
        process.create_time() if process else 0, datetime.timezone.utc)
    reported = units.ask(mariadb.MariaDB(unit.layout).client(
        '--skip-column-names', '--execute',
        "SELECT host FROM %s.services WHERE topic IS NOT NULL AND "
        "deleted = 0 AND `binary` = '%s' AND "
        "COALESCE(updated_at, created_at) >= '%s'" % (
            database, binary, started.strftime('%Y-%m-%d %H:%M:%S')))).split()
    missing = sorted(set(hosts) - set(reported))
    if missing:
        raise units.NotReady('no report of %s yet' % ', '.join(missing))
    return ' '.join(hosts)
