# SPDX-License-Identifier: Apache-2.0

"""The results of the checks, in a file that is committed."""

import json
import pathlib

from nova_volops_plugin.bases import files
from nova_volops_plugin import exceptions
from nova_volops_plugin import result

MISSING, OLD, FAILED, CURRENT = 'missing', 'old', 'failed', 'current'


class Records:
    """The last record of each run.

    A record is a dict: the ``command``, a list of words; the ``trees`` it
    ran, git tree ids by the names of bases; the ``digests`` of what it read of
    them, see :mod:`reading`; ``counts`` by result; ``seconds``; and the
    ``date``.

    :param path: the :class:`pathlib.Path` of a JSON file, which may be
        missing
    :raises BadInput: it does not hold records
    """

    def __init__(self, path):
        self._path = path
        self._records = {}
        if not path.exists():
            return
        try:
            for record in json.loads(files.read_text(path)):
                self._records[tuple(record['command'])] = record
        except (ValueError, TypeError, KeyError):
            raise exceptions.BadInput(
                '%s does not hold the records of checks; take it from the '
                'repository again' % path) from None

    def of(self, run):
        """Return the last record of a :class:`catalog.Run`, or None."""
        return self._records.get(tuple(run.words))

    def state(self, run):
        """Return MISSING, OLD, FAILED or CURRENT.

        A record is old when a tree and what is read of it have changed.
        """
        record = self.of(run)
        if record is None:
            return MISSING
        if record['trees'] != run.trees and \
                record.get('digests') != run.digests:
            return OLD
        return FAILED if record['counts'][result.FAILED] else CURRENT

    def add(self, run, kept):
        """Write what came of a run.

        :param run: the :class:`catalog.Run`
        :param kept: what the command kept in the state folder, a dict
        """
        self._records[tuple(run.words)] = {
            'command': run.words, 'trees': run.trees,
            'digests': run.digests, 'counts': kept['counts'],
            'seconds': kept['seconds'], 'date': kept['machine']['date']}
        files.write_whole(self._path, json.dumps(
            [record for _words, record in sorted(self._records.items())],
            indent=1) + '\n')


def path(patches):
    """Return where the records of a folder of patches are kept.

    :param patches: the :class:`pathlib.Path` of ``nova-patches``
    :raises BadInput: it is not that of a checkout
    """
    folder = pathlib.Path(patches).absolute().parent / 'doc/source/reference'
    if not folder.is_dir():
        raise exceptions.BadInput(
            'what is proved is recorded in a checkout of this project; '
            'there is no folder %s' % folder)
    return folder / 'proof.json'
