# SPDX-License-Identifier: Apache-2.0

"""A Cinder client that computes its responses."""

import collections
import itertools
import types

from inside_nova.cleanup_scale import cloud


class Client:
    """What Nova asks python-cinderclient for.

    :param number: how many servers there are
    :param dangling: whether some attachments are lost
    :param look: called at every page of attachments
    :ivar calls: how often each thing was asked for
    """

    def __init__(self, number, dangling, look):
        self._number = number
        self._dangling = dangling
        self._look = look
        self.calls = collections.Counter()
        self.attachments = types.SimpleNamespace(list=self._list)
        self.volumes = types.SimpleNamespace(list=self._detaching)

    def _detaching(self, detailed, search_opts):
        self.calls['volumes in detaching status'] += 1
        return []

    def _list(self, search_opts, marker=None, limit=None):
        self.calls['pages of attachments'] += 1
        self._look()
        first, after = cloud.of_attachment(marker) if marker else (0, -1)
        found = (each for number in range(first, self._number)
                 for each in self._of_server(number)
                 if not marker or cloud.of_attachment(each.id) > (
                     first, after))
        return list(itertools.islice(found, limit))

    def _of_server(self, number):
        for which in range(cloud.VOLUMES):
            if not cloud.is_lost(number, which, self._dangling):
                yield _Attachment(number, which)


class _Attachment:

    def __init__(self, number, which):
        self.id = cloud.attachment(number, which)
        self._fields = {
            'id': self.id, 'status': 'attached', 'attached_at': '',
            'detached_at': '', 'attach_mode': 'rw', 'connection_info': {},
            'instance': cloud.server(number),
            'volume_id': cloud.volume(number, which)}

    def to_dict(self):
        return self._fields
