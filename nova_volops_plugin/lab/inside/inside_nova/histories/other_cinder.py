# SPDX-License-Identifier: Apache-2.0

"""A Cinder without Nova's volumes, such as one of another region."""

import collections

from nova.tests.fixtures import cinder_status

# What must not lose a block device to it. A detach is meant to: the attachment
# stays in the Cinder that was not asked until the clean-up finds it.
HARMLESS = ('attach', 'attach-ro', 'reboot', 'reboot-hard', 'stop',
            'start', 'rebuild', 'clean-up', 'restart')
# What begins in the Cinder that knows the volumes.
ASKED_BY_CINDER = ('create', 'swap', 'swap-without-copy', 'swap-onto-target',
                   'retype', 'remove-attachment', 'add-attachment',
                   'replace-attachment', 'take', 'steal', 'reset-volume')


class OtherCinder:
    """It answers as long as the context lasts.

    :param rules: the CinderStatusFixture
    """

    def __init__(self, rules):
        self._rules = rules

    def __enter__(self):
        rules = self._rules
        with rules._lock:
            self._calls_before = len(rules.calls)
            self._kept = (rules._volumes, rules.base.volume_to_attachment,
                          rules._base_get)
            rules._volumes = {}
            rules.base.volume_to_attachment = collections.defaultdict(dict)
            rules._base_get = _unknown
        return self

    @property
    def started(self):
        """Whether it was asked anything."""
        return len(self._rules.calls) > self._calls_before

    def __exit__(self, *error):
        rules = self._rules
        with rules._lock:
            (rules._volumes, rules.base.volume_to_attachment,
             rules._base_get) = self._kept


def _unknown(context, volume_id, *args):
    raise cinder_status.http_error(
        404, 'Volume %s could not be found' % volume_id)
